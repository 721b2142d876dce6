import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { getSessionCookie, signIn, signUp } from '../../../test/accounts.ts';
import { addStaffMember, createFirm, createPerson } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createDeviceCookie } from '../../platform/auth/device-cookie.ts';
import { createSessionCookie } from '../../platform/auth/session-cookie.ts';

/** The server of these tests is in the middle of a rotation from the old secret to the new one. */
const [NEW, OLD] = ['n'.repeat(32), 'o'.repeat(32)];

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ SESSION_SECRET: `${NEW},${OLD}` });
});

const system = () => test.app.platform.pools.system;
const requestMe = (cookie: string) => test.request('GET', '/api/me', { cookie });
const readToken = (cookie: string) => test.app.platform.sessionCookie.readToken(cookie);

async function readDaysLeft(cookie: string): Promise<number> {
  const { rows } = await system().query<{ days: number }>(
    'select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions where token = $1',
    [readToken(cookie)],
  );
  return rows[0]?.days ?? -1;
}

const setTimeLeft = (cookie: string, time: string) =>
  system().query('update sessions set expires_at = now() + $2::interval where token = $1', [readToken(cookie), time]);

describe('a session', () => {
  it('is renewed for 30 days, together with its cookie, once it is a day old', async () => {
    const { cookie } = await createPerson(test);
    await setTimeLeft(cookie, '28 days 23 hours');
    const response = await requestMe(cookie);
    expect(response.statusCode).toBe(200);
    expect(getSessionCookie(response)).toBe(cookie);
    expect(String(response.headers['set-cookie'])).toContain('Max-Age=2592000');
    expect(await readDaysLeft(cookie)).toBe(30);
  });

  it('is not renewed within its first day', async () => {
    const { cookie } = await createPerson(test);
    await setTimeLeft(cookie, '29 days 1 hour');
    expect(getSessionCookie(await requestMe(cookie))).toBeUndefined();
    expect(await readDaysLeft(cookie)).toBe(29);
  });

  it('is rejected in a tab that was opened by another person, because tabs share the cookie', async () => {
    const [mia, sam] = [await createPerson(test), await createPerson(test)];
    const asPageOf = (person: string) => ({ cookie: mia.cookie, headers: { 'x-callout-person': person } });
    const readStatuses = async (person: string) => {
      const requests = [
        test.request('GET', '/api/me', asPageOf(person)),
        test.request('PUT', '/api/me/menu-order', { ...asPageOf(person), body: { menu_order: null } }),
        test.request('GET', `/api/files/${randomUUID()}`, asPageOf(person)),
      ];
      return (await Promise.all(requests)).map(({ statusCode }) => statusCode);
    };
    expect(await readStatuses(sam.userId)).toEqual([401, 401, 401]);
    expect(await readStatuses(mia.userId)).not.toContain(401);
  });

  it('is rejected and not renewed once it has expired', async () => {
    const { cookie } = await createPerson(test);
    await setTimeLeft(cookie, '-1 second');
    const response = await requestMe(cookie);
    expect([response.statusCode, response.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED', message: 'No authenticated user' }]);
    expect(getSessionCookie(response)).toBeUndefined();
  });

  it('ends on sign-out, which clears its cookie', async () => {
    const { email, password } = await signUp(test);
    const [cookie, otherCookie] = [await signIn(test, email, password), await signIn(test, email, password)];
    const out = await test.request('POST', '/api/auth/sign-out', { cookie });
    expect([out.statusCode, getSessionCookie(out)]).toEqual([200, '']);
    expect((await requestMe(cookie)).statusCode).toBe(401);
    expect((await requestMe(otherCookie)).statusCode).toBe(200);
  });

  it('is not ended by a sign-out on a page that was opened by another person', async () => {
    const [mia, sam] = [await createPerson(test), await createPerson(test)];
    const out = await test.request('POST', '/api/auth/sign-out', { cookie: sam.cookie, headers: { 'x-callout-person': mia.userId } });
    expect([out.statusCode, getSessionCookie(out), out.headers['clear-site-data']]).toEqual([200, undefined, undefined]);
    expect((await requestMe(sam.cookie)).statusCode).toBe(200);
  });

  it('ends on sign-out even if it is due for renewal', async () => {
    const { cookie } = await createPerson(test);
    await setTimeLeft(cookie, '2 days');
    expect(getSessionCookie(await test.request('POST', '/api/auth/sign-out', { cookie }))).toBe('');
    expect((await requestMe(cookie)).statusCode).toBe(401);
  });

  it('can be signed out of repeatedly, even without a session cookie', async () => {
    const { cookie } = await createPerson(test);
    for (const sent of [cookie, cookie, undefined]) {
      expect((await test.request('POST', '/api/auth/sign-out', { cookie: sent })).statusCode).toBe(200);
    }
  });
});

describe('a session cookie', () => {
  it.each<[string, (token: string) => string]>([
    ['without a signature', (token) => `callout.session_token=${token}`],
    ['with an empty signature', (token) => `callout.session_token=${token}.`],
    ['if it was signed with another secret', (token) => createSessionCookie(['x'.repeat(32)], false).buildSetCookie(token)],
    ['if it was signed for another token', () => createSessionCookie(['x'.repeat(32)], false).buildSetCookie(randomUUID())],
    ['if it is malformed', () => 'callout.session_token=%E0%A4%A'],
    ['under another name', (token) => test.app.platform.sessionCookie.buildSetCookie(token).replace('callout.', 'other.')],
    ['for a token we signed but never stored', () => test.app.platform.sessionCookie.buildSetCookie(randomUUID())],
  ])('is rejected %s', async (_, forge) => {
    const { cookie } = await createPerson(test);
    const forged = forge(readToken(cookie) ?? '').split(';', 1)[0] ?? '';
    expect((await requestMe(forged)).statusCode).toBe(401);
    expect((await requestMe(cookie)).statusCode).toBe(200);
  });

  it('is found among other cookies', async () => {
    const { cookie } = await createPerson(test);
    expect((await requestMe(`a=b; xcallout.session_token=1; ${cookie}; c=d`)).statusCode).toBe(200);
  });

  it('is accepted by every server while some of them know the new secret and others don’t yet', () => {
    const [before, during, after] = [
      createSessionCookie([OLD], false),
      createSessionCookie([NEW, OLD], false),
      createSessionCookie([NEW], false),
    ];
    const [oldCookie = '', newCookie = ''] = [before, during].map((server) => server.buildSetCookie('token').split(';', 1)[0]);
    const read = (cookie: string) => [before, during, after].map((server) => server.readToken(cookie));
    expect(read(oldCookie)).toEqual(['token', 'token', null]);
    expect(read(newCookie)).toEqual(['token', 'token', 'token']);
    expect([before, during, after].map((server) => server.isSignedBeforeRotation(newCookie))).toEqual([false, false, false]);
  });

  it('is signed again with the new secret at its next use, so that the old one can be removed', async () => {
    const { cookie } = await createPerson(test);
    const token = readToken(cookie) ?? '';
    const response = await requestMe(createSessionCookie([OLD], false).buildSetCookie(token).split(';', 1)[0] ?? '');
    expect(response.statusCode).toBe(200);
    expect(createSessionCookie([NEW], false).readToken(getSessionCookie(response))).toBe(token);
    expect(getSessionCookie(await requestMe(cookie))).toBeUndefined();
  });

  it('of a known device is recognized until the secret that signed it is removed', () => {
    const [before, during, after] = [[OLD] as const, [NEW, OLD] as const, [NEW] as const].map((secrets) =>
      createDeviceCookie(secrets, false),
    );
    const oldCookie = before?.buildSetCookie(undefined, 'hash of Ana').split(';', 1)[0];
    const bothCookie = during?.buildSetCookie(oldCookie, 'hash of Ben').split(';', 1)[0];
    expect([during, after].map((server) => server?.findKnownDevice(oldCookie, 'hash of Ana') != null)).toEqual([true, false]);
    expect([during, after].map((server) => server?.findKnownDevice(bothCookie, 'hash of Ana') != null)).toEqual([true, false]);
    expect([during, after].map((server) => server?.findKnownDevice(bothCookie, 'hash of Ben') != null)).toEqual([true, true]);
  });

  it('is marked Secure if Callout uses https', () => {
    const secure = createSessionCookie(['x'.repeat(32)], true);
    expect(secure.buildSetCookie('token')).toMatch(/^__Secure-callout\.session_token=.*; Secure$/);
    expect(secure.readToken(createSessionCookie(['x'.repeat(32)], false).buildSetCookie('token'))).toBeNull();
    expect(secure.readToken(secure.buildSetCookie('token').split(';')[0])).toBe('token');
  });
});

describe('an existing session', () => {
  it('loses access to the company once the member is removed', async () => {
    const firm = await createFirm(test);
    const { cookie, client, userId } = firm.people.manager;
    expect(await client.customers.list({})).toEqual({ rows: [], next_cursor: null });
    await system().query('delete from staff_members where profile_id = $1', [userId]);
    expect((await requestMe(cookie)).json()).toMatchObject({ profile: null });
    await expect(client.customers.list({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is rejected once the account is deleted', async () => {
    const firm = await createFirm(test);
    const { cookie, userId } = firm.people.staff;
    await system().query('delete from users where id = $1', [userId]);
    expect((await requestMe(cookie)).statusCode).toBe(401);
  });

  it('gets the new role after a role change', async () => {
    const firm = await createFirm(test);
    const { client, userId } = firm.people.admin;
    await system().query(`update staff_members set role = 'staff' where profile_id = $1`, [userId]);
    await expect(client.customers.remove({ id: randomUUID() })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('gives a new staff member access to the company that hired them', async () => {
    const firm = await createFirm(test, 'Tane Plumbing');
    const person = await addStaffMember(test, firm.companyId, 'accountant');
    expect((await requestMe(person.cookie)).json()).toMatchObject({ profile: { company_name: 'Tane Plumbing', role: 'accountant' } });
  });
});
