import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, getSessionCookie, signIn, signUp } from '../../../test/accounts.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createPasswordHasher, type PasswordHasher } from '../../platform/auth/password-hasher.ts';

let test: TestApp;
/** Counts how often the real password hasher ran. */
let hashCount = 0;

beforeAll(async () => {
  const real = createPasswordHasher();
  const passwordHasher: PasswordHasher = {
    ...real,
    hash(...input) {
      hashCount += 1;
      return real.hash(...input);
    },
    verify(...input) {
      hashCount += 1;
      return real.verify(...input);
    },
  };
  test = await startTestApp({ TRUST_PROXY: '1' }, { passwordHasher });
});

beforeEach(async () => {
  await test.app.platform.pools.system.query('delete from rate_limits');
});

const TOO_EASY = 'This password is too easy to guess. Please choose another one.';
const TOO_COMMON = 'This password is too common. Please choose another one.';

const attemptSignIn = (email: string, password: string, from = '203.0.113.1') =>
  test.request('POST', '/api/auth/sign-in', { body: { email, password }, headers: { 'x-forwarded-for': from } });

describe('creating an account', () => {
  it('lets the person sign in right away', async () => {
    const { email, password } = await signUp(test);
    const me = await test.client(await signIn(test, email, password)).company.me();
    expect(me).toMatchObject({ user: { email, name: email.split('@')[0] }, profile: null, is_system_admin: false, menu_order: null });
  });

  it('does not sign the person in automatically', async () => {
    const response = await test.request('POST', '/api/auth/sign-up', { body: { email: buildTestEmail(), password: 'secret-1' } });
    expect([response.statusCode, response.json(), getSessionCookie(response)]).toEqual([201, {}, undefined]);
  });

  it('stores an argon2id hash and never the password', async () => {
    const { email } = await signUp(test, buildTestEmail(), 'Pa55-marker-9f3');
    const { system } = test.app.platform.pools;
    const { rows } = await system.query<{ password: string }>(
      'select a.password from accounts a join users u on u.id = a.user_id where u.email = $1',
      [email],
    );
    expect(rows[0]?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    for (const table of ['users', 'accounts', 'sessions', 'password_links']) {
      const found = await system.query(`select 1 from ${table} t where t::text like '%Pa55-marker%'`);
      expect({ table, found: found.rowCount }).toEqual({ table, found: 0 });
    }
  });

  it('rejects a taken email address in any letter case', async () => {
    const { email } = await signUp(test);
    const secondSignUp = test.client().auth.signUp({ email: email.toUpperCase(), password: 'secret-2' });
    await expect(secondSignUp).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
      message: 'An account with this email already exists. Please sign in.',
    });
    expect((await attemptSignIn(email, 'secret-2')).statusCode).toBe(401);
  });

  it('creates one account from concurrent requests and rejects the others', async () => {
    const email = buildTestEmail();
    const passwords = Array.from({ length: 8 }, (_, index) => `secret-${index}`);
    const outcomes = await Promise.allSettled(passwords.map((password) => test.client().auth.signUp({ email, password })));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejected).toMatchObject(Array.from({ length: 7 }, () => ({ reason: { code: 'EMAIL_TAKEN' } })));
    const password = passwords[outcomes.findIndex((outcome) => outcome.status === 'fulfilled')];
    expect((await attemptSignIn(email, password ?? '')).statusCode).toBe(200);
    const { rows } = await test.app.platform.pools.system.query(
      'select 1 from users u join accounts a on a.user_id = u.id where u.email = $1',
      [email],
    );
    expect(rows).toHaveLength(1);
  });

  it.each([
    [
      'a password of 5 characters',
      { email: buildTestEmail(), password: '12345' },
      { password: 'Password must be at least 6 characters long' },
    ],
    ['an email without a domain', { email: 'abc', password: '123456' }, { email: 'Please enter a valid email address' }],
    ['an email no account can have', { email: 'josé@exämple.com', password: '123456' }, { email: 'Please enter a valid email address' }],
    ['one of the most common passwords', { email: buildTestEmail(), password: 'PassWord1' }, { password: TOO_COMMON }],
    ['the name in the email as the password', { email: 'tane.walker@example.com', password: 'Tane.Walker' }, { password: TOO_EASY }],
    ['the name of the product as the password', { email: buildTestEmail(), password: 'Callout1' }, { password: TOO_EASY }],
  ])('rejects %s', async (_, input, fields) => {
    await expect(test.client().auth.signUp(input)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
    expect((await test.owner.query('select from users where email = lower($1)', [input.email])).rowCount).toBe(0);
  });

  it('accepts a password of 6 characters and one of 128 with spaces and emoji', async () => {
    for (const password of ['h7k2pq', `  🧰${'x'.repeat(123)} `]) {
      const { email } = await signUp(test, buildTestEmail(), password);
      expect(await signIn(test, email, password)).not.toBe('');
    }
  });
});

describe('signing in', () => {
  it('accepts the email address in any letter case, but not the password', async () => {
    const { email, password } = await signUp(test);
    expect((await attemptSignIn(email.toUpperCase(), password)).statusCode).toBe(200);
    expect((await attemptSignIn(email, password.toUpperCase())).statusCode).toBe(401);
  });

  it('sets a cookie that no script can read and no other site can send', async () => {
    const { email, password } = await signUp(test);
    const cookie = String((await attemptSignIn(email, password)).headers['set-cookie']);
    expect(cookie).toMatch(/^callout\.session_token=[^;]+;/);
    for (const attribute of [/HttpOnly/i, /SameSite=Lax/i, /Path=\//i, /Max-Age=2592000/i]) expect(cookie).toMatch(attribute);
  });

  it('responds the same way, after the same work, to a wrong password and an unknown or invalid email address', async () => {
    const { email } = await signUp(test);
    const responses = [];
    for (const triedEmail of [email, buildTestEmail()]) {
      hashCount = 0;
      const response = await attemptSignIn(triedEmail, 'wrong-password');
      responses.push({ status: response.statusCode, body: response.json(), cookie: getSessionCookie(response), work: hashCount });
    }
    expect(responses[0]).toMatchObject({ status: 401, body: { message: 'Invalid email or password. Please try again.' }, work: 1 });
    expect(responses[1]).toEqual(responses[0]);
    const invalid = await attemptSignIn('josé@exämple.com', 'wrong-password');
    expect({ status: invalid.statusCode, body: invalid.json() }).toEqual({ status: 401, body: responses[0]?.body });
  });

  it('under attack from many networks refers to the outbox on a server without email', async () => {
    const { email, password } = await signUp(test);
    await test.app.platform.pools.system.query(`insert into rate_limits values ($1, 200, now() + interval '1 hour')`, [
      `sign-in account ${email}`,
    ]);
    expect((await attemptSignIn(email, password)).json()).toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      data: { offers_password_reset: true },
      message:
        'Too many people have tried to sign in to this account. Use “Forgot your password?” and ask your administrator for the link in the outbox, or sign in on a device that you have used before.',
    });
  });

  it('keeps the person’s other sessions', async () => {
    const { email, password } = await signUp(test);
    const [phoneCookie, deskCookie] = [await signIn(test, email, password), await signIn(test, email, password)];
    expect(phoneCookie).not.toBe(deskCookie);
    for (const cookie of [phoneCookie, deskCookie]) expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(200);
  });
});
