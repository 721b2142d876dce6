import { expect, it } from 'vitest';
import { boundedKey } from './rate-limit.sql.ts';
import { network, site } from './rate-limit.ts';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::ffff:2', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s is counted as %s', (ip, counted) => {
  expect(network(ip)).toBe(counted);
});

it('counts a whole /48 as one for a single account', () => {
  expect([site('2001:db8:1:2:3:4:5:6'), site('2001:db8:1:ffff::1'), site('203.0.113.9')]).toEqual([
    '2001:db8:1',
    '2001:db8:1',
    '203.0.113.9',
  ]);
});

it('keeps a key up to the length that an index allows, and hashes a longer one', () => {
  const longest = 'x'.repeat(400);
  expect(boundedKey(longest)).toBe(longest);
  const [one, other] = [boundedKey(`${longest}1`), boundedKey(`${longest}2`)];
  expect([one.length <= 400, one === other, one === boundedKey(`${longest}1`)]).toEqual([true, false, true]);
});
