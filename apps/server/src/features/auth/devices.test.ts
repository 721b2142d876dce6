import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getSessionCookie, signUp } from '../../../test/accounts.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { createPerson, createSession } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ TRUST_PROXY: '1' });
});

beforeEach(async () => {
  await test.owner.query('delete from rate_limits');
});

const DESKTOP_UA = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const PHONE_UA =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const buildOriginHeaders = (ip: string, userAgent: string) => ({ 'x-forwarded-for': ip, 'user-agent': userAgent });

async function signInFrom(account: { email: string; password: string }, ip: string, userAgent: string): Promise<string> {
  const response = await test.request('POST', '/api/auth/sign-in', { body: account, headers: buildOriginHeaders(ip, userAgent) });
  return getSessionCookie(response) ?? '';
}

async function signInOnTwoDevices() {
  const account = await signUp(test);
  const desk = await signInFrom(account, '203.0.113.5', DESKTOP_UA);
  const phone = await signInFrom(account, '198.51.100.9', PHONE_UA);
  return { desk, phone, account };
}

const listDevices = async (cookie: string) => (await test.client(cookie).auth.sessions()).rows;
const isSignedIn = async (cookie: string) => (await test.request('GET', '/api/me', { cookie })).statusCode === 200;

describe('the list of signed-in devices', () => {
  it('shows the browser, system and network of each device, with the current one first', async () => {
    const { desk, phone } = await signInOnTwoDevices();
    expect(await listDevices(desk)).toMatchObject([
      { browser: 'Chrome', system: 'Windows', network: '203.0.113.5', is_current: true },
      { browser: 'Safari', system: 'iPhone', network: '198.51.100.9', is_current: false },
    ]);
    expect((await listDevices(phone)).map(({ is_current, system }) => [is_current, system])).toEqual([
      [true, 'iPhone'],
      [false, 'Windows'],
    ]);
  });

  it('contains only the person’s own active sessions, without their tokens', async () => {
    const [one, two] = [await signInOnTwoDevices(), await signInOnTwoDevices()];
    await test.request('POST', '/api/auth/sign-out', { cookie: one.phone });
    const response = await test.request('GET', '/api/me/sessions', { cookie: one.desk });
    expect(response.json<{ rows: unknown[] }>().rows).toHaveLength(1);
    for (const cookie of [one.desk, one.phone, two.desk, two.phone]) {
      expect(response.body).not.toContain(test.app.platform.sessionCookie.readToken(cookie) ?? '?');
    }
  });

  it('shows when each device was last active, updated at most every ten minutes', async () => {
    const { desk, phone, account } = await signInOnTwoDevices();
    const setLastActive = `update sessions set last_active_at = now() - $2::interval where user_id = (select id from users where email = $1)`;
    await test.owner.query(setLastActive, [account.email, '9 minutes']);
    const readSessionRows = async () =>
      (
        await test.owner.query<{ xmin: string; last_active_at: Date }>(
          `select s.xmin::text, s.last_active_at from sessions s join users u on u.id = s.user_id where u.email = $1`,
          [account.email],
        )
      ).rows;
    const before = await readSessionRows();
    for (let n = 0; n < 3; n += 1) await isSignedIn(desk);
    expect(await readSessionRows()).toEqual(before);

    await test.owner.query(setLastActive, [account.email, '11 minutes']);
    await test.request('GET', '/api/me', { cookie: phone, headers: buildOriginHeaders('192.0.2.44', PHONE_UA) });
    // The call that finds the update due doesn't wait for it.
    await expect.poll(async () => (await listDevices(phone))[0]).toMatchObject({ network: '192.0.2.44', is_current: true });
    const [current, other] = await listDevices(phone);
    expect(Date.parse(current?.last_active_at ?? '') - Date.parse(other?.last_active_at ?? '')).toBeGreaterThan(10 * 60_000);
  });
});

describe('signing out a device', () => {
  it('immediately ends its session and open pages, and no others', async () => {
    const { desk, phone } = await signInOnTwoDevices();
    const [phoneStream, deskStream] = [await openEventStream(test, phone), await openEventStream(test, desk)];
    const [, other] = await listDevices(desk);
    await test.client(desk).auth.endSession({ id: other?.id ?? '' });
    expect([await isSignedIn(desk), await isSignedIn(phone)]).toEqual([true, false]);
    expect(await phoneStream.next()).toEqual({ event: 'signed-out', data: {} });
    expect(deskStream.events).toEqual([]);
    expect(await listDevices(desk)).toHaveLength(1);
    await expect(test.client(desk).auth.endSession({ id: other?.id ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('responds with 404 for someone else’s device and leaves it signed in', async () => {
    const [one, other] = [await createPerson(test), await createPerson(test)];
    const [theirs] = await listDevices(other.cookie);
    for (const id of [theirs?.id ?? '', randomUUID()]) {
      await expect(one.client.auth.endSession({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    }
    expect(await isSignedIn(other.cookie)).toBe(true);
  });

  it('can end all the person’s other sessions, but not the current one or anyone else’s', async () => {
    const { desk, phone, account } = await signInOnTwoDevices();
    const tablet = await signInFrom(account, '198.51.100.10', PHONE_UA);
    const other = await createPerson(test);
    const pages = [await openEventStream(test, phone), await openEventStream(test, tablet)];
    await test.client(desk).auth.endOtherSessions();
    expect([await isSignedIn(desk), await isSignedIn(phone), await isSignedIn(tablet), await isSignedIn(other.cookie)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    for (const page of pages) expect(await page.next()).toEqual({ event: 'signed-out', data: {} });
    expect(await listDevices(desk)).toMatchObject([{ is_current: true }]);
  });
});

describe('a session', () => {
  const createPersonWithSessionAge = async (days: number) => {
    const person = await createPerson(test);
    await test.owner.query(
      `update sessions set created_at = now() - make_interval(days => $2), expires_at = now() + interval '5 days' where user_id = $1`,
      [person.userId, days],
    );
    return person;
  };
  const readLifetimeDays = async (userId: string) => {
    const { rows } = await test.owner.query<{ days: number }>(
      'select round(extract(epoch from expires_at - created_at) / 86400)::int as days from sessions where user_id = $1',
      [userId],
    );
    return rows[0]?.days;
  };

  it('ends 90 days after sign-in, even while in use', async () => {
    const { cookie, userId } = await createPersonWithSessionAge(80);
    expect(await isSignedIn(cookie)).toBe(true);
    expect(await readLifetimeDays(userId)).toBe(90);
    const renewed = await test.request('GET', '/api/me', { cookie });
    expect(getSessionCookie(renewed)).toBeUndefined();
    await test.owner.query(
      `update sessions set created_at = created_at - interval '11 days', expires_at = expires_at - interval '11 days' where user_id = $1`,
      [userId],
    );
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('is renewed for 30 days before its 90-day limit', async () => {
    const { cookie, userId } = await createPersonWithSessionAge(50);
    expect(await isSignedIn(cookie)).toBe(true);
    expect(await readLifetimeDays(userId)).toBe(80);
  });
});

it('a second session is listed as a second device', async () => {
  const { client, userId } = await createPerson(test);
  const id = await createSession(test, userId);
  expect((await client.auth.sessions()).rows.map((device) => device.id)).toContain(id);
});
