import { beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../../../test/accounts.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

/** The IP that the server saw a sign-in come from, which attempts are counted by. */
async function seenAs(test: TestApp, forwardedFor: string | undefined): Promise<unknown> {
  const { email, password } = await signUp(test);
  const answer = await test.request('POST', '/api/auth/sign-in', {
    body: { email, password },
    ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
  });
  expect(answer.statusCode).toBe(200);
  const { rows } = await test.owner.query<{ ip_address: string }>(
    'select s.ip_address from sessions s join users u on u.id = s.user_id where u.email = $1',
    [email],
  );
  return rows.map(({ ip_address }) => ip_address);
}

const SOCKET = '127.0.0.1';
const GARBAGE = ['unknown', 'x'.repeat(8000), '203.0.113.9x', "'; drop table users; --", '_hidden'];

describe.each<[string, string, [string, string][]]>([
  ['no proxy', '0', [['203.0.113.9', SOCKET]]],
  [
    'one proxy',
    '1',
    [
      ['203.0.113.9', '203.0.113.9'],
      ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
      ['198.51.100.1, 198.51.100.2, 203.0.113.9', '203.0.113.9'],
    ],
  ],
  [
    'two proxies',
    '2',
    [
      ['203.0.113.9', '203.0.113.9'],
      ['198.51.100.1, 203.0.113.9, 10.0.0.7', '203.0.113.9'],
    ],
  ],
  [
    'proxies in known networks',
    '127.0.0.0/8, 10.0.0.0/8',
    [
      ['198.51.100.1, 203.0.113.9, 10.0.0.7', '203.0.113.9'],
      ['203.0.113.9', '203.0.113.9'],
    ],
  ],
  ['proxies elsewhere', '10.0.0.0/8', [['203.0.113.9', SOCKET]]],
])('behind %s', (_, setting, cases) => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ TRUST_PROXY: setting });
  });

  it.each(cases)('a request forwarded for %s comes from %s', async (forwardedFor, seen) => {
    expect(await seenAs(test, forwardedFor)).toEqual([seen]);
  });

  it('a request without the header, or with garbage in it, comes from its connection and is answered normally', async () => {
    for (const header of [undefined, ...GARBAGE]) expect(await seenAs(test, header)).toEqual([SOCKET]);
    expect(test.logged.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});

it('a forged IP does not reset the count of attempts', async () => {
  const test = await startTestApp({ TRUST_PROXY: '1' });
  const ask = (made: number) =>
    test.request('POST', '/api/auth/reset-password', {
      body: { token: 'x', password: 'secret-1' },
      headers: { 'x-forwarded-for': `198.51.100.${made}, 203.0.113.9` },
    });
  const answers = [];
  for (let made = 0; made < 121; made += 1) answers.push((await ask(made)).statusCode);
  expect(answers.slice(-2)).toEqual([410, 429]);
});
