import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cookieFrom, signUp } from '../../../test/accounts.ts';
import { openStream } from '../../../test/event-stream.ts';
import { createPerson, createSession } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ TRUST_PROXY: '1' });
});

beforeEach(async () => {
  await test.owner.query('delete from rate_limits');
});

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const origin = (ip: string, userAgent: string) => ({ 'x-forwarded-for': ip, 'user-agent': userAgent });

async function signInFrom(account: { email: string; password: string }, ip: string, userAgent: string): Promise<string> {
  const answer = await test.request('POST', '/api/auth/sign-in', { body: account, headers: origin(ip, userAgent) });
  return cookieFrom(answer) ?? '';
}

/** Signed in on a desktop and then on a phone. */
async function onTwoDevices() {
  const account = await signUp(test);
  const desk = await signInFrom(account, '203.0.113.5', WINDOWS);
  const phone = await signInFrom(account, '198.51.100.9', IPHONE);
  return { desk, phone, account };
}

const devicesOf = async (cookie: string) => (await test.client(cookie).auth.sessions()).rows;
const isIn = async (cookie: string) => (await test.request('GET', '/api/me', { cookie })).statusCode === 200;

describe('the list of signed-in devices', () => {
  it('names each device and its network, this one first', async () => {
    const { desk, phone } = await onTwoDevices();
    expect(await devicesOf(desk)).toMatchObject([
      { browser: 'Chrome', system: 'Windows', network: '203.0.113.5', is_current: true },
      { browser: 'Safari', system: 'iPhone', network: '198.51.100.9', is_current: false },
    ]);
    expect((await devicesOf(phone)).map(({ is_current, system }) => [is_current, system])).toEqual([
      [true, 'iPhone'],
      [false, 'Windows'],
    ]);
  });

  it('shows only the person’s own open sessions, without their tokens', async () => {
    const [one, two] = [await onTwoDevices(), await onTwoDevices()];
    await test.request('POST', '/api/auth/sign-out', { cookie: one.phone });
    const answer = await test.request('GET', '/api/me/sessions', { cookie: one.desk });
    expect(answer.json<{ rows: unknown[] }>().rows).toHaveLength(1);
    for (const cookie of [one.desk, one.phone, two.desk, two.phone]) {
      expect(answer.body).not.toContain(test.app.platform.sessionCookie.read(cookie) ?? '?');
    }
  });

  it('shows when each was last active, updated at most every ten minutes', async () => {
    const { desk, phone, account } = await onTwoDevices();
    const age = `update sessions set last_active_at = now() - $2::interval where user_id = (select id from users where email = $1)`;
    await test.owner.query(age, [account.email, '9 minutes']);
    const writes = async () =>
      (
        await test.owner.query<{ xmin: string; last_active_at: Date }>(
          `select s.xmin::text, s.last_active_at from sessions s join users u on u.id = s.user_id where u.email = $1`,
          [account.email],
        )
      ).rows;
    const before = await writes();
    for (let n = 0; n < 3; n += 1) await isIn(desk);
    expect(await writes()).toEqual(before);

    await test.owner.query(age, [account.email, '11 minutes']);
    await test.request('GET', '/api/me', { cookie: phone, headers: origin('192.0.2.44', IPHONE) });
    const [here, there] = await devicesOf(phone);
    expect(here).toMatchObject({ network: '192.0.2.44', is_current: true });
    expect(Date.parse(here?.last_active_at ?? '') - Date.parse(there?.last_active_at ?? '')).toBeGreaterThan(10 * 60_000);
  });
});

describe('signing out a device', () => {
  it('ends its session and its open pages at once, and no other', async () => {
    const { desk, phone } = await onTwoDevices();
    const [page, own] = [await openStream(test, phone), await openStream(test, desk)];
    const [, other] = await devicesOf(desk);
    await test.client(desk).auth.endSession({ id: other?.id ?? '' });
    expect([await isIn(desk), await isIn(phone)]).toEqual([true, false]);
    expect(await page.next()).toEqual({ event: 'signed-out', data: {} });
    expect(own.events).toEqual([]);
    expect(await devicesOf(desk)).toHaveLength(1);
    await expect(test.client(desk).auth.endSession({ id: other?.id ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of someone else answers 404 and leaves it signed in', async () => {
    const [one, other] = [await createPerson(test), await createPerson(test)];
    const [theirs] = await devicesOf(other.cookie);
    for (const id of [theirs?.id ?? '', randomUUID()]) {
      await expect(one.client.auth.endSession({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    }
    expect(await isIn(other.cookie)).toBe(true);
  });

  it('for all others keeps this one and everyone else’s', async () => {
    const { desk, phone, account } = await onTwoDevices();
    const tablet = await signInFrom(account, '198.51.100.10', IPHONE);
    const other = await createPerson(test);
    const pages = [await openStream(test, phone), await openStream(test, tablet)];
    await test.client(desk).auth.endOtherSessions();
    expect([await isIn(desk), await isIn(phone), await isIn(tablet), await isIn(other.cookie)]).toEqual([true, false, false, true]);
    for (const page of pages) expect(await page.next()).toEqual({ event: 'signed-out', data: {} });
    expect(await devicesOf(desk)).toMatchObject([{ is_current: true }]);
  });
});

describe('a session', () => {
  const aged = async (days: number) => {
    const person = await createPerson(test);
    await test.owner.query(
      `update sessions set created_at = now() - make_interval(days => $2), expires_at = now() + interval '5 days' where user_id = $1`,
      [person.userId, days],
    );
    return person;
  };
  const endOf = async (userId: string) => {
    const { rows } = await test.owner.query<{ days: number }>(
      'select round(extract(epoch from expires_at - created_at) / 86400)::int as days from sessions where user_id = $1',
      [userId],
    );
    return rows[0]?.days;
  };

  it('ends 90 days after the sign-in, however much it is used', async () => {
    const { cookie, userId } = await aged(80);
    expect(await isIn(cookie)).toBe(true);
    expect(await endOf(userId)).toBe(90);
    const renewed = await test.request('GET', '/api/me', { cookie });
    expect(cookieFrom(renewed)).toBeUndefined();
    await test.owner.query(
      `update sessions set created_at = created_at - interval '11 days', expires_at = expires_at - interval '11 days' where user_id = $1`,
      [userId],
    );
    expect(await isIn(cookie)).toBe(false);
  });

  it('is renewed for 30 days before that', async () => {
    const { cookie, userId } = await aged(50);
    expect(await isIn(cookie)).toBe(true);
    expect(await endOf(userId)).toBe(80);
  });
});

it('a second session is a second device', async () => {
  const { client, userId } = await createPerson(test);
  const id = await createSession(test, userId);
  expect((await client.auth.sessions()).rows.map((device) => device.id)).toContain(id);
});
