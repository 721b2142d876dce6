import { expect, it } from 'vitest';
import { toBoundedKey } from './rate-limit.sql.ts';
import { getNetworkPrefix, getSitePrefix } from './rate-limit.ts';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::ffff:2', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('counts %s as the network %s', (ip, counted) => {
  expect(getNetworkPrefix(ip)).toBe(counted);
});

it('counts a whole IPv6 /48 as one site', () => {
  expect([getSitePrefix('2001:db8:1:2:3:4:5:6'), getSitePrefix('2001:db8:1:ffff::1'), getSitePrefix('203.0.113.9')]).toEqual([
    '2001:db8:1',
    '2001:db8:1',
    '203.0.113.9',
  ]);
});

it('stores a key of up to 400 characters as it is and hashes longer ones', () => {
  const longest = 'x'.repeat(400);
  expect(toBoundedKey(longest)).toBe(longest);
  const [one, other] = [toBoundedKey(`${longest}1`), toBoundedKey(`${longest}2`)];
  expect([one.length <= 400, one === other, one === toBoundedKey(`${longest}1`)]).toEqual([true, false, true]);
});
