import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { cookieFrom, signIn, signUp } from '../../../test/accounts.ts';
import { createFirm, createPerson, hire } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createSessionCookie } from '../../platform/auth/session-cookie.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const system = () => test.app.platform.pools.system;
const me = (cookie: string) => test.request('GET', '/api/me', { cookie });
const tokenIn = (cookie: string) => test.app.platform.sessionCookie.read(cookie);

async function daysLeft(cookie: string): Promise<number> {
  const { rows } = await system().query<{ days: number }>(
    'select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions where token = $1',
    [tokenIn(cookie)],
  );
  return rows[0]?.days ?? -1;
}

const leave = (cookie: string, time: string) =>
  system().query('update sessions set expires_at = now() + $2::interval where token = $1', [tokenIn(cookie), time]);

describe('a session', () => {
  it('is renewed for 30 days with its cookie once it is a day old', async () => {
    const { cookie } = await createPerson(test);
    await leave(cookie, '28 days 23 hours');
    const answer = await me(cookie);
    expect(answer.statusCode).toBe(200);
    expect(cookieFrom(answer)).toBe(cookie);
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=2592000');
    expect(await daysLeft(cookie)).toBe(30);
  });

  it('is not renewed within its first day', async () => {
    const { cookie } = await createPerson(test);
    await leave(cookie, '29 days 1 hour');
    expect(cookieFrom(await me(cookie))).toBeUndefined();
    expect(await daysLeft(cookie)).toBe(29);
  });

  it('is refused to a page that is shown to somebody else: the tabs of a browser share its cookie', async () => {
    const [mia, sam] = [await createPerson(test), await createPerson(test)];
    const shownTo = (person: string) => ({ cookie: mia.cookie, headers: { 'x-callout-person': person } });
    const statuses = async (person: string) => {
      const answers = [
        test.request('GET', '/api/me', shownTo(person)),
        test.request('PUT', '/api/me/menu-order', { ...shownTo(person), body: { menu_order: null } }),
        test.request('GET', `/api/files/${randomUUID()}`, shownTo(person)),
      ];
      return (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    };
    expect(await statuses(sam.userId)).toEqual([401, 401, 401]);
    expect(await statuses(mia.userId)).not.toContain(401);
  });

  it('that has expired is refused and not renewed', async () => {
    const { cookie } = await createPerson(test);
    await leave(cookie, '-1 second');
    const answer = await me(cookie);
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED', message: 'No authenticated user' }]);
    expect(cookieFrom(answer)).toBeUndefined();
  });

  it('ends when signing out, and its cookie is cleared', async () => {
    const { email, password } = await signUp(test);
    const [here, elsewhere] = [await signIn(test, email, password), await signIn(test, email, password)];
    const out = await test.request('POST', '/api/auth/sign-out', { cookie: here });
    expect([out.statusCode, cookieFrom(out)]).toEqual([200, '']);
    expect((await me(here)).statusCode).toBe(401);
    expect((await me(elsewhere)).statusCode).toBe(200);
  });

  it('of somebody else is not ended by a page that was left open before they signed in', async () => {
    const [mia, sam] = [await createPerson(test), await createPerson(test)];
    const out = await test.request('POST', '/api/auth/sign-out', { cookie: sam.cookie, headers: { 'x-callout-person': mia.userId } });
    expect([out.statusCode, cookieFrom(out), out.headers['clear-site-data']]).toEqual([200, undefined, undefined]);
    expect((await me(sam.cookie)).statusCode).toBe(200);
  });

  it('that is due for renewal still ends when signing out', async () => {
    const { cookie } = await createPerson(test);
    await leave(cookie, '2 days');
    expect(cookieFrom(await test.request('POST', '/api/auth/sign-out', { cookie }))).toBe('');
    expect((await me(cookie)).statusCode).toBe(401);
  });

  it('can be signed out of twice, and without one', async () => {
    const { cookie } = await createPerson(test);
    for (const sent of [cookie, cookie, undefined]) {
      expect((await test.request('POST', '/api/auth/sign-out', { cookie: sent })).statusCode).toBe(200);
    }
  });
});

describe('a cookie', () => {
  it.each<[string, (token: string) => string]>([
    ['without a signature', (token) => `callout.session_token=${token}`],
    ['with an empty signature', (token) => `callout.session_token=${token}.`],
    ['signed with another secret', (token) => createSessionCookie('x'.repeat(32), false).renewed(token)],
    ['signed for another token', () => createSessionCookie('x'.repeat(32), false).renewed(randomUUID())],
    ['that is malformed', () => 'callout.session_token=%E0%A4%A'],
    ['under another name', (token) => test.app.platform.sessionCookie.renewed(token).replace('callout.', 'other.')],
    ['of a token we signed but never stored', () => test.app.platform.sessionCookie.renewed(randomUUID())],
  ])('%s opens nothing', async (_, forge) => {
    const { cookie } = await createPerson(test);
    const forged = forge(tokenIn(cookie) ?? '').split(';', 1)[0] ?? '';
    expect((await me(forged)).statusCode).toBe(401);
    expect((await me(cookie)).statusCode).toBe(200);
  });

  it('is found among others', async () => {
    const { cookie } = await createPerson(test);
    expect((await me(`a=b; xcallout.session_token=1; ${cookie}; c=d`)).statusCode).toBe(200);
  });

  it('is sent over https only where Callout uses https', () => {
    const secure = createSessionCookie('x'.repeat(32), true);
    expect(secure.renewed('token')).toMatch(/^__Secure-callout\.session_token=.*; Secure$/);
    expect(secure.read(createSessionCookie('x'.repeat(32), false).renewed('token'))).toBeNull();
    expect(secure.read(secure.renewed('token').split(';')[0])).toBe('token');
  });
});

describe('the next call', () => {
  it('of a removed member has no company and sees none of its data', async () => {
    const firm = await createFirm(test);
    const { cookie, client, userId } = firm.people.manager;
    expect(await client.customers.list({})).toEqual({ rows: [], next_cursor: null });
    await system().query('delete from staff_members where profile_id = $1', [userId]);
    expect((await me(cookie)).json()).toMatchObject({ profile: null });
    await expect(client.customers.list({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of a deleted account is refused', async () => {
    const firm = await createFirm(test);
    const { cookie, userId } = firm.people.staff;
    await system().query('delete from users where id = $1', [userId]);
    expect((await me(cookie)).statusCode).toBe(401);
  });

  it('after a role change has the new role', async () => {
    const firm = await createFirm(test);
    const { client, userId } = firm.people.admin;
    await system().query(`update staff_members set role = 'staff' where profile_id = $1`, [userId]);
    await expect(client.customers.remove({ id: randomUUID() })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of a new member sees the company that hired them', async () => {
    const firm = await createFirm(test, 'Tane Plumbing');
    const person = await hire(test, firm.companyId, 'accountant');
    expect((await me(person.cookie)).json()).toMatchObject({ profile: { company_name: 'Tane Plumbing', role: 'accountant' } });
  });
});
