import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { retryFailedWorkNow, waitForQueue } from '../../../test/queue.ts';
import { findTablesContaining } from '../../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { passwordResetMailTask } from './reset-password.ts';

let test: TestApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment, APP_URL: 'https://work.example.com' });
  return () => mailbox.stop();
});

beforeEach(async () => {
  await test.app.platform.pools.system.query('delete from rate_limits');
});

const auth = () => test.client().auth;

async function requestLink(email: string): Promise<URL> {
  expect(await auth().requestPasswordReset({ email })).toEqual({ mail: 'queued' });
  const { text } = await mailbox.waitForMail(email);
  return new URL(/https:\S+/.exec(text)?.[0] ?? '');
}

const getToken = (link: URL) => link.searchParams.get('token') ?? '';

describe('a password reset', () => {
  it('replaces the password through the emailed link', async () => {
    const { email, password } = await signUp(test);
    const link = await requestLink(email);
    expect(`${link.origin}${link.pathname}`).toBe('https://work.example.com/auth');
    expect(link.searchParams.get('reset')).toBe('true');
    await auth().resetPassword({ token: getToken(link), password: 'secret-new' });
    await expect(auth().signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('emails the same link as text and as HTML', async () => {
    const { email } = await signUp(test);
    const link = await requestLink(email);
    const mail = await mailbox.waitForMail(email);
    expect(mail).toMatchObject({ to: [email], subject: 'Reset your Callout password', from: '"Callout" <callout@localhost>' });
    expect(mail.html).toContain(`href="${link.href.replaceAll('&', '&amp;')}"`);
  });

  it('sends the owner an email that links to another reset', async () => {
    const { email } = await signUp(test);
    await auth().resetPassword({ token: getToken(await requestLink(email)), password: 'secret-new' });
    await expect.poll(() => mailbox.listMailsTo(email).length, { timeout: 10_000 }).toBe(2);
    const notice = mailbox.listMailsTo(email)[1];
    expect(notice?.subject).toBe('Your Callout password was changed');
    expect(notice?.text).toContain('https://work.example.com/auth?mode=reset-password');
  });

  it('ends all the person’s sessions', async () => {
    const { email, password } = await signUp(test);
    const cookie = await signIn(test, email, password);
    await auth().resetPassword({ token: getToken(await requestLink(email)), password: 'secret-new' });
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(401);
  });

  it('clears the count of wrong guesses', async () => {
    const { email } = await signUp(test);
    for (let n = 0; n < 11; n += 1)
      await auth()
        .signIn({ email, password: 'wrong-one' })
        .catch(() => undefined);
    await auth().resetPassword({ token: getToken(await requestLink(email)), password: 'secret-new' });
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('is emailed by the queue without using the API handlers’ database connections', async () => {
    const { email } = await signUp(test);
    const { system } = test.app.platform.pools;
    const busyClients = await Promise.all(Array.from({ length: system.options.max }, () => system.connect()));
    try {
      await passwordResetMailTask.queue(test.owner, { email });
      expect((await mailbox.waitForMail(email)).subject).toBe('Reset your Callout password');
    } finally {
      for (const client of busyClients) client.release();
    }
  });

  it('accepts the email address in any letter case and sends the email to the account’s address', async () => {
    const { email } = await signUp(test);
    await auth().requestPasswordReset({ email: email.toUpperCase() });
    expect((await mailbox.waitForMail(email)).headers).toContain(`To: ${email}`);
  });
});

it('ignores a forged Host header in emailed links, even without APP_URL', async () => {
  const appWithoutUrl = await startTestApp({ ...mailbox.environment, APP_URL: '' });
  const { email } = await signUp(appWithoutUrl);
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  const response = await appWithoutUrl.request('POST', '/api/auth/request-password-reset', { headers, body: { email } });
  expect(response.statusCode).toBe(200);
  const { text, html } = await mailbox.waitForMail(email);
  expect(text).toContain('http://localhost:0/auth?reset=true');
  expect(`${text}${html}`).not.toContain('evil.example');
});

describe('a password reset link', () => {
  const LINK_EXPIRED = { code: 'LINK_EXPIRED', status: 410 };

  it('works only once', async () => {
    const { email } = await signUp(test);
    const token = getToken(await requestLink(email));
    await auth().viewResetLink({ token });
    await auth().resetPassword({ token, password: 'secret-new' });
    await expect(auth().resetPassword({ token, password: 'secret-two' })).rejects.toMatchObject(LINK_EXPIRED);
    await expect(auth().viewResetLink({ token })).rejects.toMatchObject(LINK_EXPIRED);
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('works only once when used twice at the same time', async () => {
    const { email } = await signUp(test);
    const token = getToken(await requestLink(email));
    const outcomes = await Promise.allSettled(['secret-a', 'secret-b'].map((password) => auth().resetPassword({ token, password })));
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is rejected once it has expired', async () => {
    const { email, password } = await signUp(test);
    const token = getToken(await requestLink(email));
    await test.app.platform.pools.system.query(`update password_links set expires_at = now() - interval '1 second'`);
    await expect(auth().viewResetLink({ token })).rejects.toMatchObject(LINK_EXPIRED);
    await expect(auth().resetPassword({ token, password: 'secret-new' })).rejects.toMatchObject(LINK_EXPIRED);
    expect(await signIn(test, email, password)).not.toBe('');
  });

  it('expires after an hour', async () => {
    await test.app.platform.pools.system.query('delete from password_links');
    await requestLink((await signUp(test)).email);
    const { rows } = await test.app.platform.pools.system.query<{ minutes: number }>(
      'select round(extract(epoch from expires_at - now()) / 60)::int as minutes from password_links',
    );
    expect(rows).toEqual([{ minutes: 60 }]);
  });

  it('rejects a password of 5 characters and still works afterwards', async () => {
    const { email } = await signUp(test);
    const token = getToken(await requestLink(email));
    await expect(auth().resetPassword({ token, password: '12345' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { password: 'Password must be at least 6 characters long' } },
    });
    await auth().resetPassword({ token, password: 'h7k2pq' });
    expect(await signIn(test, email, 'h7k2pq')).not.toBe('');
  });

  it.each(['qwerty', 'Letmein123'])('rejects the common password %s and still works afterwards', async (common) => {
    const { email, password } = await signUp(test);
    const token = getToken(await requestLink(email));
    await expect(auth().resetPassword({ token, password: common })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { password: 'This password is too common. Please choose another one.' } },
    });
    expect(await signIn(test, email, password)).not.toBe('');
    await auth().resetPassword({ token, password: 'h7k2pq' });
  });

  it('rejects the name in the email address as the password', async () => {
    const { email } = await signUp(test, `tane.walker.${buildTestEmail()}`);
    const token = getToken(await requestLink(email));
    await expect(auth().resetPassword({ token, password: email.split('@')[0] ?? '' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('stays valid after another link is requested, until one of the two is used', async () => {
    const { email } = await signUp(test);
    const first = getToken(await requestLink(email));
    await auth().requestPasswordReset({ email });
    await expect.poll(() => mailbox.listMailsTo(email).length, { timeout: 10_000 }).toBe(2);
    const second = getToken(new URL(/https:\S+/.exec(mailbox.listMailsTo(email)[1]?.text ?? '')?.[0] ?? ''));
    await auth().resetPassword({ token: first, password: 'secret-new' });
    await expect(auth().resetPassword({ token: second, password: 'secret-two' })).rejects.toMatchObject(LINK_EXPIRED);
  });

  it('cannot be read from the database once the email is sent', async () => {
    const token = getToken(await requestLink((await signUp(test)).email));
    await waitForQueue(test);
    expect(await findTablesContaining(test, token)).toEqual([]);
  });

  it('fails like a used link if it never existed', async () => {
    await expect(auth().resetPassword({ token: 'never', password: 'secret-1' })).rejects.toMatchObject(LINK_EXPIRED);
  });
});

describe('requesting a password reset link', () => {
  it.each([
    ['an unknown email', buildTestEmail()],
    ['an email no account can have', 'josé@exämple.com'],
  ])('returns the same response for %s and sends no email', async (_, unknown) => {
    const { email } = await signUp(test);
    const [known, other] = [await auth().requestPasswordReset({ email }), await auth().requestPasswordReset({ email: unknown })];
    expect(other).toEqual(known);
    await mailbox.waitForMail(email);
    const { rows } = await test.app.platform.pools.system.query('select 1 from outbox_mails where recipient = $1', [unknown]);
    expect(rows).toEqual([]);
  });

  it('is retried if the email could not be queued', async () => {
    const { email } = await signUp(test);
    const { owner } = test;
    await owner.query('alter function queue_mail rename to queue_mail_away');
    onTestFinished(
      async () => void (await owner.query('alter function if exists queue_mail_away rename to queue_mail').catch(() => undefined)),
    );
    await auth().requestPasswordReset({ email });
    const findFailedTask = () =>
      owner.query(`select from graphile_worker._private_jobs where payload ->> 'email' = $1 and last_error is not null`, [email]);
    await expect.poll(async () => (await findFailedTask()).rowCount, { timeout: 20_000 }).toBe(1);
    await owner.query('alter function queue_mail_away rename to queue_mail');
    await retryFailedWorkNow(test);
    expect(await mailbox.waitForMail(email)).toMatchObject({ to: [email] });
  });
});
