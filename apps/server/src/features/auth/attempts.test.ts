import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { newMember } from '../../../test/factories/inputs.ts';
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

const [ATTACKER, VICTIM] = ['203.0.113.1', '198.51.100.7'];

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

const attempt = (email: string, password: string, ip = ATTACKER, cookie?: string) =>
  test.request('POST', '/api/auth/sign-in', { body: { email, password }, cookie, ...from(ip) });

/** The device cookie that a browser keeps after signing out. */
async function knownDevice(email: string, password: string, ip = VICTIM): Promise<string> {
  return deviceIn(await attempt(email, password, ip));
}

function deviceIn({ headers }: LightMyRequestResponse): string {
  const set = [headers['set-cookie'] ?? []].flat().find((cookie) => cookie.startsWith('callout.device='));
  return set?.split(';', 1)[0] ?? '';
}

async function guess(email: string, times: number, ip = ATTACKER, cookie?: string): Promise<number[]> {
  const statuses = [];
  for (let n = 0; n < times; n += 1) statuses.push((await attempt(email, `wrong-${n}`, ip, cookie)).statusCode);
  return statuses;
}

describe('too many wrong passwords', () => {
  it('from one network are blocked there, even with the right password, with a waiting time', async () => {
    const { email, password } = await signUp(test);
    expect(await guess(email, 11)).toEqual([...Array<number>(10).fill(401), 429]);
    const stopped = await attempt(email.toUpperCase(), password);
    expect([stopped.statusCode, stopped.json()]).toMatchObject([429, { code: 'TOO_MANY_ATTEMPTS' }]);
    const wait = stopped.json<{ data: { retry_after: number } }>().data.retry_after;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(300);
  });

  it('by an attacker never lock out the owner on another network', async () => {
    const { email, password } = await signUp(test);
    await guess(email, 60);
    expect((await attempt(email, password, VICTIM)).statusCode).toBe(200);
  });

  it('by an attacker on the same network do not lock out the owner’s known device', async () => {
    const { email, password } = await signUp(test);
    const device = await knownDevice(email, password, ATTACKER);
    await guess(email, 12);
    expect((await attempt(email, password, ATTACKER)).statusCode).toBe(429);
    expect((await attempt(email, password, ATTACKER, device)).statusCode).toBe(200);
  });

  it('by an attacker on many networks are capped, and a known device can still sign in', async () => {
    const { email, password } = await signUp(test);
    const device = await knownDevice(email, password);
    const networks = Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`);
    const statuses = (await Promise.all(networks.map((ip) => guess(email, 10, ip)))).flat();
    expect(statuses.filter((status) => status === 401)).toHaveLength(200);
    expect((await attempt(email, password, '192.0.2.1')).statusCode).toBe(429);
    expect((await attempt(email, password, VICTIM, device)).statusCode).toBe(200);
  });

  it('on many accounts from one network are capped', async () => {
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push(...(await guess(uniqueEmail(), 10)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    const { email, password } = await signUp(test);
    expect((await attempt(email, password)).statusCode).toBe(429);
    expect((await attempt(email, password, VICTIM)).statusCode).toBe(200);
  });

  it('on one account do not affect other accounts', async () => {
    const [guessed, other] = [await signUp(test), await signUp(test)];
    await guess(guessed.email, 11);
    expect((await attempt(other.email, other.password)).statusCode).toBe(200);
  });

  it('are forgotten after the right password', async () => {
    const { email, password } = await signUp(test);
    for (let round = 0; round < 2; round += 1) {
      await guess(email, 9);
      expect((await attempt(email, password)).statusCode).toBe(200);
    }
  });

  it('are still counted for the account and the network when someone signs in', async () => {
    const [guessed, own] = [await signUp(test), await signUp(test)];
    const attempts = 'select attempts from rate_limits where key = any ($1) order by key';
    const keys = [[`sign-in account ${guessed.email}`, `sign-in network ${ATTACKER}`]];
    await guess(guessed.email, 5);
    expect((await attempt(own.email, own.password)).statusCode).toBe(200);
    expect((await attempt(guessed.email, guessed.password, VICTIM)).statusCode).toBe(200);
    expect((await test.owner.query(attempts, keys)).rows).toEqual([{ attempts: 5 }, { attempts: 5 }]);
  });

  it('are forgotten when their time window is over', async () => {
    const { email, password } = await signUp(test);
    await guess(email, 11);
    await test.owner.query(`update rate_limits set window_ends_at = now() - interval '1 second'`);
    expect((await attempt(email, password)).statusCode).toBe(200);
  });

  it('are forgotten when the clock was set back, instead of locking everyone out for years', async () => {
    const { email, password } = await signUp(test);
    await guess(email, 11);
    await test.owner.query(`update rate_limits set window_ends_at = window_ends_at + interval '10 years'`);
    expect((await attempt(email, password)).statusCode).toBe(200);
  });

  it('are counted exactly when they arrive at once', async () => {
    const { email } = await signUp(test);
    const answers = await Promise.all(Array.from({ length: 14 }, () => attempt(email, 'wrong-password')));
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(10);
  });

  it('get the same answers for an unknown email', async () => {
    const { email } = await signUp(test);
    expect(await guess(uniqueEmail(), 12, VICTIM)).toEqual(await guess(email, 12));
  });

  it('cannot be bypassed by guessing the current password in an open session', async () => {
    const { email, password } = await signUp(test);
    const [stolen, own] = [await signIn(test, email, password), await signIn(test, email, password)];
    const change = (cookie: string, current_password: string) =>
      test.client(cookie).auth.changePassword({ current_password, new_password: 'secret-new' });
    for (let n = 0; n < 10; n += 1) await expect(change(stolen, `wrong-${n}`)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    await expect(change(stolen, password)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    expect((await attempt(email, password)).statusCode).toBe(200);
    expect(await change(own, password)).toEqual({});
  });
});

describe('a known device', () => {
  it('has its own attempts, and no more of them', async () => {
    const { email, password } = await signUp(test);
    const device = await knownDevice(email, password);
    expect((await guess(email, 12, VICTIM, device)).filter((status) => status === 401)).toHaveLength(10);
  });

  it('is known only for the accounts that signed in on it', async () => {
    const [one, two, stranger] = [await signUp(test), await signUp(test), await signUp(test)];
    const first = await knownDevice(one.email, one.password);
    const device = deviceIn(await attempt(two.email, two.password, VICTIM, first));
    for (const { email } of [one, two, stranger]) await guess(email, 11);
    const statuses = [one, two, stranger].map(({ email, password }) => attempt(email, password, ATTACKER, device));
    expect((await Promise.all(statuses)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
  });

  const resetTokenOf = async (email: string) => {
    await test.client().auth.requestPasswordReset({ email });
    return /token=([\w-]+)/.exec((await mailbox.mailTo(email)).text)?.[1] ?? '';
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
      async (email: string) => void (await test.client().auth.resetPassword({ token: await resetTokenOf(email), password: 'secret-new' })),
    ],
  ])('is no longer known after the password was %s elsewhere', async (_, change) => {
    const { email, password } = await signUp(test);
    const device = await knownDevice(email, password);
    await change(email, password);
    await guess(email, 11);
    expect((await attempt(email, 'secret-new', ATTACKER, device)).statusCode).toBe(429);
    expect((await attempt(email, 'secret-new', VICTIM, device)).statusCode).toBe(200);
  });

  it('is no longer known after an invitation gave the account to the owner of its email', async () => {
    const { email, password } = await signUp(test);
    const device = await knownDevice(email, password);
    const { people } = await createFirm(test);
    await people.admin.client.staff.invite(newMember({ email }));
    const token = /token=([\w-]+)/.exec((await mailbox.mailTo(email)).text)?.[1] ?? '';
    await test.client().staff.acceptInvitation({ token, password: 'secret-new' });
    await guess(email, 11);
    expect((await attempt(email, 'secret-new', ATTACKER, device)).statusCode).toBe(429);
  });

  it('stays known where the password was changed, and keeps its other accounts', async () => {
    const [one, two] = [await signUp(test), await signUp(test)];
    const first = await knownDevice(two.email, two.password);
    const both = deviceIn(await attempt(one.email, one.password, VICTIM, first));
    const device = deviceIn(await changePassword(one.email, one.password, both));
    for (const { email } of [one, two]) await guess(email, 11);
    expect((await attempt(one.email, 'secret-new', ATTACKER, device)).statusCode).toBe(200);
    expect((await attempt(two.email, two.password, ATTACKER, device)).statusCode).toBe(200);
  });

  it('stays known after the email was changed', async () => {
    const { email, password } = await signUp(test);
    const device = await knownDevice(email, password);
    const next = uniqueEmail();
    await test.owner.query('update users set email = $2 where email = $1', [email, next]);
    await guess(next, 11);
    expect((await attempt(next, password, ATTACKER, device)).statusCode).toBe(200);
  });

  it('shares a cap with all devices of its account, which a new password lifts', async () => {
    const { email, password } = await signUp(test);
    const devices: string[] = [];
    for (let n = 0; n < 21; n += 1) devices.push(await knownDevice(email, password));
    const statuses = (await Promise.all(devices.map((device, n) => guess(email, 10, `203.0.113.${n}`, device)))).flat();
    expect(statuses.filter((status) => status === 401)).toHaveLength(200);
    const [device] = devices;
    const token = await resetTokenOf(email);
    const answer = await test.request('POST', '/api/auth/reset-password', { body: { token, password: 'secret-new' }, cookie: device });
    expect((await attempt(email, 'secret-new', ATTACKER, deviceIn(answer))).statusCode).toBe(200);
  });

  it('needs a cookie signed by us', async () => {
    const { email, password } = await signUp(test);
    const device = await knownDevice(email, password);
    await guess(email, 11);
    for (const forged of [device.replace(/=.{4}/, '=AAAA'), device.replace(/.{4}$/, 'AAAA'), 'callout.device=', 'callout.device=.']) {
      expect((await attempt(email, password, ATTACKER, forged)).statusCode).toBe(429);
    }
  });

  it('is remembered in an HttpOnly cookie that names nobody', async () => {
    const { email, password } = await signUp(test);
    const set = [(await attempt(email, password)).headers['set-cookie'] ?? []].flat().find((cookie) => cookie.includes('device='));
    for (const attribute of [/HttpOnly/, /SameSite=Lax/, /Path=\/api/, /Max-Age=34560000/]) expect(set).toMatch(attribute);
    expect(set).not.toContain(email.split('@')[0]);
  });

  it('is known after a forgotten password was replaced on it', async () => {
    const { email } = await signUp(test);
    const token = await resetTokenOf(email);
    await guess(email, 12, VICTIM);
    const body = { token, password: 'secret-new' };
    const answer = await test.request('POST', '/api/auth/reset-password', { body, ...from(VICTIM) });
    const device = String(answer.headers['set-cookie']).split(';', 1)[0];
    await guess(email, 12, VICTIM);
    expect((await attempt(email, 'secret-new', VICTIM, device)).statusCode).toBe(200);
  });
});

describe('requesting a password link', () => {
  const ask = async (email: string, ip = ATTACKER, cookie?: string) =>
    (await test.request('POST', '/api/auth/request-password-reset', { body: { email }, cookie, ...from(ip) })).statusCode;

  async function askTimes(email: string, times: number, ip = ATTACKER): Promise<number[]> {
    const statuses = [];
    for (let n = 0; n < times; n += 1) statuses.push(await ask(email, ip));
    return statuses;
  }

  it('is limited to five an hour per network, in any letter case, also for unknown emails', async () => {
    for (const email of [(await signUp(test)).email, uniqueEmail()]) {
      expect(await askTimes(email, 5)).toEqual([200, 200, 200, 200, 200]);
      expect(await ask(email.toUpperCase())).toBe(429);
    }
  });

  it('by an attacker does not keep the owner on another network from getting a mail', async () => {
    const { email } = await signUp(test);
    await askTimes(email, 40);
    await waitForQueue(test);
    const before = mailbox.mailsTo(email).length;
    expect(before).toBe(5);
    expect(await ask(email, VICTIM)).toBe(200);
    await expect.poll(() => mailbox.mailsTo(email).length, { timeout: 10_000 }).toBe(before + 1);
  });

  it('from many networks is capped, and a known device still gets a mail', async () => {
    const { email, password } = await signUp(test);
    const device = await knownDevice(email, password);
    const networks = Array.from({ length: 6 }, (_, n) => `203.0.113.${n}`);
    const statuses = (await Promise.all(networks.map((ip) => askTimes(email, 5, ip)))).flat();
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect([await ask(email, '192.0.2.1'), await ask(email, VICTIM, device)]).toEqual([429, 200]);
  });
});

it('limits public calls per network', async () => {
  const askFrom = (ip: string) =>
    test.request('POST', '/api/auth/reset-password', { body: { token: 'x', password: 'secret-1' }, ...from(ip) });
  const answers = [];
  for (let n = 0; n < 121; n += 1) answers.push((await askFrom(`2001:db8::${n.toString(16)}`)).statusCode);
  expect(answers.slice(0, 120).every((status) => status === 410)).toBe(true);
  expect(answers[120]).toBe(429);
  expect((await askFrom('2001:db8:0:1::1')).statusCode).toBe(410);
});
