import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment, TRUST_PROXY: '1' });
  return () => mailbox.stop();
});

beforeEach(async () => {
  await test.owner.query('delete from rate_limits');
});

const [ATTACKER_IP, VICTIM_IP] = ['203.0.113.1', '198.51.100.7'];

const buildIpHeaders = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

const attemptSignIn = (email: string, password: string, ip = ATTACKER_IP, cookie?: string) =>
  test.request('POST', '/api/auth/sign-in', { body: { email, password }, cookie, ...buildIpHeaders(ip) });

/** Signs in and returns the device cookie, which a browser keeps after signing out. */
async function rememberDevice(email: string, password: string, ip = VICTIM_IP): Promise<string> {
  return getDeviceCookie(await attemptSignIn(email, password, ip));
}

function getDeviceCookie({ headers }: LightMyRequestResponse): string {
  const set = [headers['set-cookie'] ?? []].flat().find((cookie) => cookie.startsWith('callout.device='));
  return set?.split(';', 1)[0] ?? '';
}

async function guessPasswords(email: string, times: number, ip = ATTACKER_IP, cookie?: string): Promise<number[]> {
  const statuses = [];
  for (let n = 0; n < times; n += 1) statuses.push((await attemptSignIn(email, `wrong-${n}`, ip, cookie)).statusCode);
  return statuses;
}

describe('the sign-in limit', () => {
  it('blocks a network after ten wrong passwords, even with the right one, and returns the waiting time', async () => {
    const { email, password } = await signUp(test);
    expect(await guessPasswords(email, 11)).toEqual([...Array<number>(10).fill(401), 429]);
    const blocked = await attemptSignIn(email.toUpperCase(), password);
    expect([blocked.statusCode, blocked.json()]).toMatchObject([429, { code: 'TOO_MANY_ATTEMPTS' }]);
    const retryAfter = blocked.json<{ data: { retry_after: number } }>().data.retry_after;
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(300);
  });

  it('never locks out the owner on another network', async () => {
    const { email, password } = await signUp(test);
    await guessPasswords(email, 60);
    expect((await attemptSignIn(email, password, VICTIM_IP)).statusCode).toBe(200);
  });

  it('does not lock out the owner’s known device on the attacker’s network', async () => {
    const { email, password } = await signUp(test);
    const device = await rememberDevice(email, password, ATTACKER_IP);
    await guessPasswords(email, 12);
    expect((await attemptSignIn(email, password, ATTACKER_IP)).statusCode).toBe(429);
    expect((await attemptSignIn(email, password, ATTACKER_IP, device)).statusCode).toBe(200);
  });

  it('caps guesses from many networks for one account, whose known devices can still sign in', async () => {
    const { email, password } = await signUp(test);
    const device = await rememberDevice(email, password);
    const networks = Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`);
    const statuses = (await Promise.all(networks.map((ip) => guessPasswords(email, 10, ip)))).flat();
    expect(statuses.filter((status) => status === 401)).toHaveLength(200);
    const blocked = await attemptSignIn(email, password, '192.0.2.1');
    expect([blocked.statusCode, blocked.json<{ message: string }>().message]).toEqual([
      429,
      expect.stringContaining('to get a link by email'),
    ]);
    expect((await attemptSignIn(email, password, VICTIM_IP, device)).statusCode).toBe(200);
  });

  it('lets the owner sign in on a new device on a network where they are signed in, however many networks guess', async () => {
    const { email, password } = await signUp(test);
    await attemptSignIn(email, password, VICTIM_IP);
    const networks = Array.from({ length: 24 }, (_, n) => `203.0.113.${n}`);
    await Promise.all(networks.map((ip) => guessPasswords(email, 9, ip)));
    const elsewhere = await attemptSignIn(email, password, '192.0.2.1');
    expect([elsewhere.statusCode, elsewhere.json<{ message: string }>().message]).toEqual([
      429,
      expect.stringContaining('Forgot your password?'),
    ]);
    expect((await attemptSignIn(email, password, VICTIM_IP)).statusCode).toBe(200);
  });

  it('caps guesses for many accounts from one network', async () => {
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push(...(await guessPasswords(buildTestEmail(), 10)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    const { email, password } = await signUp(test);
    expect((await attemptSignIn(email, password)).statusCode).toBe(429);
    expect((await attemptSignIn(email, password, VICTIM_IP)).statusCode).toBe(200);
  });

  it('does not affect other accounts', async () => {
    const [guessed, other] = [await signUp(test), await signUp(test)];
    await guessPasswords(guessed.email, 11);
    expect((await attemptSignIn(other.email, other.password)).statusCode).toBe(200);
  });

  it('is reset when the right password is entered', async () => {
    const { email, password } = await signUp(test);
    for (let round = 0; round < 2; round += 1) {
      await guessPasswords(email, 9);
      expect((await attemptSignIn(email, password)).statusCode).toBe(200);
    }
  });

  it('still counts guesses for the account and the network after a successful sign-in', async () => {
    const [guessed, attacker] = [await signUp(test), await signUp(test)];
    const attempts = 'select attempts from rate_limits where key = any ($1) order by key';
    const keys = [[`sign-in account ${guessed.email}`, `sign-in network ${ATTACKER_IP}`]];
    await guessPasswords(guessed.email, 5);
    expect((await attemptSignIn(attacker.email, attacker.password)).statusCode).toBe(200);
    expect((await attemptSignIn(guessed.email, guessed.password, VICTIM_IP)).statusCode).toBe(200);
    expect((await test.owner.query(attempts, keys)).rows).toEqual([{ attempts: 5 }, { attempts: 5 }]);
  });

  it('is reset when its time window ends', async () => {
    const { email, password } = await signUp(test);
    await guessPasswords(email, 11);
    await test.owner.query(`update rate_limits set window_ends_at = now() - interval '1 second'`);
    expect((await attemptSignIn(email, password)).statusCode).toBe(200);
  });

  it('is reset if the clock was set back, instead of locking everyone out for years', async () => {
    const { email, password } = await signUp(test);
    await guessPasswords(email, 11);
    await test.owner.query(`update rate_limits set window_ends_at = window_ends_at + interval '10 years'`);
    expect((await attemptSignIn(email, password)).statusCode).toBe(200);
  });

  it('counts concurrent guesses exactly', async () => {
    const { email } = await signUp(test);
    const responses = await Promise.all(Array.from({ length: 14 }, () => attemptSignIn(email, 'wrong-password')));
    expect(responses.filter((response) => response.statusCode === 401)).toHaveLength(10);
  });

  it('responds the same way for an unknown email address', async () => {
    const { email } = await signUp(test);
    expect(await guessPasswords(buildTestEmail(), 12, VICTIM_IP)).toEqual(await guessPasswords(email, 12));
  });

  it('limits guesses of the current password in a stolen session', async () => {
    const { email, password } = await signUp(test);
    const [stolenCookie, ownerCookie] = [await signIn(test, email, password), await signIn(test, email, password)];
    const change = (cookie: string, current_password: string) =>
      test.client(cookie).auth.changePassword({ current_password, new_password: 'secret-new' });
    for (let n = 0; n < 10; n += 1) await expect(change(stolenCookie, `wrong-${n}`)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    await expect(change(stolenCookie, password)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    expect((await attemptSignIn(email, password)).statusCode).toBe(200);
    expect(await change(ownerCookie, password)).toEqual({});
  });
});

describe('a known device', () => {
  it('has its own ten attempts', async () => {
    const { email, password } = await signUp(test);
    const device = await rememberDevice(email, password);
    expect((await guessPasswords(email, 12, VICTIM_IP, device)).filter((status) => status === 401)).toHaveLength(10);
  });

  it('is known only to accounts that have signed in on it', async () => {
    const [one, two, stranger] = [await signUp(test), await signUp(test), await signUp(test)];
    const first = await rememberDevice(one.email, one.password);
    const device = getDeviceCookie(await attemptSignIn(two.email, two.password, VICTIM_IP, first));
    for (const { email } of [one, two, stranger]) await guessPasswords(email, 11);
    const statuses = [one, two, stranger].map(({ email, password }) => attemptSignIn(email, password, ATTACKER_IP, device));
    expect((await Promise.all(statuses)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
  });

  const requestResetToken = async (email: string) => {
    await test.client().auth.requestPasswordReset({ email });
    return /token=([\w-]+)/.exec((await mailbox.waitForMail(email)).text)?.[1] ?? '';
  };

  const changePassword = async (email: string, password: string, cookie?: string) => {
    const session = await signIn(test, email, password);
    const body = { current_password: password, new_password: 'secret-new' };
    return test.request('PUT', '/api/me/password', { body, cookie: [session, cookie].filter(Boolean).join('; ') });
  };

  it.each([
    ['changed', async (email: string, password: string) => void (await changePassword(email, password))],
    [
      'reset',
      async (email: string) =>
        void (await test.client().auth.resetPassword({ token: await requestResetToken(email), password: 'secret-new' })),
    ],
  ])('is no longer known after the password is %s elsewhere', async (_, change) => {
    const { email, password } = await signUp(test);
    const device = await rememberDevice(email, password);
    await change(email, password);
    await guessPasswords(email, 11);
    expect((await attemptSignIn(email, 'secret-new', ATTACKER_IP, device)).statusCode).toBe(429);
    expect((await attemptSignIn(email, 'secret-new', VICTIM_IP, device)).statusCode).toBe(200);
  });

  it('is no longer known after an invitation gives the account to the email address’s owner', async () => {
    const { email, password } = await signUp(test);
    const device = await rememberDevice(email, password);
    const { people } = await createFirm(test);
    await people.admin.client.staff.invite(buildMember({ email }));
    const token = /token=([\w-]+)/.exec((await mailbox.waitForMail(email)).text)?.[1] ?? '';
    await test.client().staff.acceptInvitation({ token, password: 'secret-new' });
    await guessPasswords(email, 11);
    expect((await attemptSignIn(email, 'secret-new', ATTACKER_IP, device)).statusCode).toBe(429);
  });

  it('stays known to all its accounts if the password was changed on it', async () => {
    const [one, two] = [await signUp(test), await signUp(test)];
    const first = await rememberDevice(two.email, two.password);
    const both = getDeviceCookie(await attemptSignIn(one.email, one.password, VICTIM_IP, first));
    const device = getDeviceCookie(await changePassword(one.email, one.password, both));
    for (const { email } of [one, two]) await guessPasswords(email, 11);
    expect((await attemptSignIn(one.email, 'secret-new', ATTACKER_IP, device)).statusCode).toBe(200);
    expect((await attemptSignIn(two.email, two.password, ATTACKER_IP, device)).statusCode).toBe(200);
  });

  it('stays known after the account’s email address changes', async () => {
    const { email, password } = await signUp(test);
    const device = await rememberDevice(email, password);
    const newEmail = buildTestEmail();
    await test.owner.query('update users set email = $2 where email = $1', [email, newEmail]);
    await guessPasswords(newEmail, 11);
    expect((await attemptSignIn(newEmail, password, ATTACKER_IP, device)).statusCode).toBe(200);
  });

  it('shares one limit with its account’s other devices, which a password reset clears', async () => {
    const { email, password } = await signUp(test);
    const devices: string[] = [];
    for (let n = 0; n < 21; n += 1) devices.push(await rememberDevice(email, password));
    const statuses = (await Promise.all(devices.map((device, n) => guessPasswords(email, 10, `203.0.113.${n}`, device)))).flat();
    expect(statuses.filter((status) => status === 401)).toHaveLength(200);
    const [device] = devices;
    const token = await requestResetToken(email);
    const response = await test.request('POST', '/api/auth/reset-password', { body: { token, password: 'secret-new' }, cookie: device });
    expect((await attemptSignIn(email, 'secret-new', ATTACKER_IP, getDeviceCookie(response))).statusCode).toBe(200);
  });

  it('is not recognized if the cookie is forged', async () => {
    const { email, password } = await signUp(test);
    const device = await rememberDevice(email, password);
    await guessPasswords(email, 11);
    for (const forged of [device.replace(/=.{4}/, '=AAAA'), device.replace(/.{4}$/, 'AAAA'), 'callout.device=', 'callout.device=.']) {
      expect((await attemptSignIn(email, password, ATTACKER_IP, forged)).statusCode).toBe(429);
    }
  });

  it('is remembered in an HttpOnly cookie that does not contain the email address', async () => {
    const { email, password } = await signUp(test);
    const set = [(await attemptSignIn(email, password)).headers['set-cookie'] ?? []].flat().find((cookie) => cookie.includes('device='));
    for (const attribute of [/HttpOnly/, /SameSite=Lax/, /Path=\/api/, /Max-Age=34560000/]) expect(set).toMatch(attribute);
    expect(set).not.toContain(email.split('@')[0]);
  });

  it('is known after the password is reset on it', async () => {
    const { email } = await signUp(test);
    const token = await requestResetToken(email);
    await guessPasswords(email, 12, VICTIM_IP);
    const body = { token, password: 'secret-new' };
    const response = await test.request('POST', '/api/auth/reset-password', { body, ...buildIpHeaders(VICTIM_IP) });
    const device = String(response.headers['set-cookie']).split(';', 1)[0];
    await guessPasswords(email, 12, VICTIM_IP);
    expect((await attemptSignIn(email, 'secret-new', VICTIM_IP, device)).statusCode).toBe(200);
  });
});

describe('requesting a password reset link', () => {
  const requestLink = async (email: string, ip = ATTACKER_IP, cookie?: string) =>
    (await test.request('POST', '/api/auth/request-password-reset', { body: { email }, cookie, ...buildIpHeaders(ip) })).statusCode;

  async function requestLinks(email: string, times: number, ip = ATTACKER_IP): Promise<number[]> {
    const statuses = [];
    for (let n = 0; n < times; n += 1) statuses.push(await requestLink(email, ip));
    return statuses;
  }

  it('is limited to five an hour per network, even for unknown addresses or a different letter case', async () => {
    for (const email of [(await signUp(test)).email, buildTestEmail()]) {
      expect(await requestLinks(email, 5)).toEqual([200, 200, 200, 200, 200]);
      expect(await requestLink(email.toUpperCase())).toBe(429);
    }
  });

  it('is never blocked by an attacker on another network', async () => {
    const { email } = await signUp(test);
    await requestLinks(email, 40);
    await waitForQueue(test);
    const before = mailbox.listMailsTo(email).length;
    expect(before).toBe(5);
    expect(await requestLink(email, VICTIM_IP)).toBe(200);
    await expect.poll(() => mailbox.listMailsTo(email).length, { timeout: 10_000 }).toBe(before + 1);
  });

  it('sends at most ten emails in half an hour across many networks, and the owner on another network can use one of them', async () => {
    const { email } = await signUp(test);
    const networks = Array.from({ length: 7 }, (_, n) => `203.0.113.${n}`);
    await Promise.all(networks.map((ip) => requestLinks(email, 5, ip)));
    expect(await requestLink(email, '192.0.2.1')).toBe(200);
    await waitForQueue(test);
    const mails = mailbox.listMailsTo(email);
    expect(mails).toHaveLength(10);
    const token = /token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
    expect(await test.client().auth.resetPassword({ token, password: 'secret-new' })).toEqual({});
    // The other nine links have ended with the reset, so the owner gets a new one.
    expect(await requestLink(email, '192.0.2.2')).toBe(200);
    await expect.poll(() => mailbox.listMailsTo(email).filter(({ text }) => text.includes('token=')).length, { timeout: 10_000 }).toBe(11);
  });

  it('still sends an email to a known device when other networks have used up the limit', async () => {
    const { email, password } = await signUp(test);
    const device = await rememberDevice(email, password);
    await Promise.all(Array.from({ length: 7 }, (_, n) => requestLinks(email, 5, `203.0.113.${n}`)));
    await waitForQueue(test);
    const before = mailbox.listMailsTo(email).length;
    expect(await requestLink(email, VICTIM_IP, device)).toBe(200);
    await expect.poll(() => mailbox.listMailsTo(email).length, { timeout: 10_000 }).toBe(before + 1);
  });

  it('counts all tagged addresses of a mailbox together on one network', async () => {
    const box = buildTestEmail();
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await requestLink(box.replace('@', `+${n}@`)));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

it('limits calls that need no sign-in, such as a password reset, per network', async () => {
  const requestFrom = (ip: string) =>
    test.request('POST', '/api/auth/reset-password', { body: { token: 'x', password: 'secret-1' }, ...buildIpHeaders(ip) });
  const responses = [];
  for (let n = 0; n < 121; n += 1) responses.push((await requestFrom(`2001:db8::${n.toString(16)}`)).statusCode);
  expect(responses.slice(0, 120).every((status) => status === 410)).toBe(true);
  expect(responses[120]).toBe(429);
  expect((await requestFrom('2001:db8:0:1::1')).statusCode).toBe(410);
});
