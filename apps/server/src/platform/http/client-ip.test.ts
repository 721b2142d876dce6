import { beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../../../test/accounts.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

/** Signs in and returns the client IP that the server recorded for the session. */
async function signInAndReadIp(test: TestApp, forwardedFor: string | undefined): Promise<unknown> {
  const { email, password } = await signUp(test);
  const response = await test.request('POST', '/api/auth/sign-in', {
    body: { email, password },
    ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
  });
  expect(response.statusCode).toBe(200);
  const { rows } = await test.owner.query<{ ip_address: string }>(
    'select s.ip_address from sessions s join users u on u.id = s.user_id where u.email = $1',
    [email],
  );
  return rows.map(({ ip_address }) => ip_address);
}

const SOCKET_IP = '127.0.0.1';
const INVALID_HEADERS = ['unknown', 'x'.repeat(8000), '203.0.113.9x', "'; drop table users; --", '_hidden'];

describe.each<[string, string, [string, string][]]>([
  ['no proxy', '0', [['203.0.113.9', SOCKET_IP]]],
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
  ['proxies elsewhere', '10.0.0.0/8', [['203.0.113.9', SOCKET_IP]]],
])('behind %s', (_, setting, cases) => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ TRUST_PROXY: setting });
  });

  it.each(cases)('a request forwarded for %s has the client IP %s', async (forwardedFor, clientIp) => {
    expect(await signInAndReadIp(test, forwardedFor)).toEqual([clientIp]);
  });

  it('a request with a missing or invalid header has the IP of its connection', async () => {
    for (const header of [undefined, ...INVALID_HEADERS]) expect(await signInAndReadIp(test, header)).toEqual([SOCKET_IP]);
    expect(test.logLines.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});

it('a forged IP does not bypass the rate limit', async () => {
  const test = await startTestApp({ TRUST_PROXY: '1' });
  const attempt = (index: number) =>
    test.request('POST', '/api/auth/reset-password', {
      body: { token: 'x', password: 'secret-1' },
      headers: { 'x-forwarded-for': `198.51.100.${index}, 203.0.113.9` },
    });
  const statuses = [];
  for (let index = 0; index < 121; index += 1) statuses.push((await attempt(index)).statusCode);
  expect(statuses.slice(-2)).toEqual([410, 429]);
});
