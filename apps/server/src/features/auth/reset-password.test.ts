import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { tablesWith } from '../../../test/every-row.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { retryNow, waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { sendPasswordReset } from './reset-password.ts';

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

async function mailedLink(email: string): Promise<URL> {
  expect(await auth().requestPasswordReset({ email })).toEqual({ mail: 'queued' });
  const { text } = await mailbox.mailTo(email);
  return new URL(/https:\S+/.exec(text)?.[0] ?? '');
}

const tokenOf = (link: URL) => link.searchParams.get('token') ?? '';

describe('a forgotten password', () => {
  it('is reset through the mailed link', async () => {
    const { email, password } = await signUp(test);
    const link = await mailedLink(email);
    expect(`${link.origin}${link.pathname}`).toBe('https://work.example.com/auth');
    expect(link.searchParams.get('reset')).toBe('true');
    await auth().resetPassword({ token: tokenOf(link), password: 'secret-new' });
    await expect(auth().signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('is answered by a mail that names the account and has the same link as text and HTML', async () => {
    const { email } = await signUp(test);
    const link = await mailedLink(email);
    const mail = await mailbox.mailTo(email);
    expect(mail).toMatchObject({ to: [email], subject: 'Set a new password for Callout', from: '"Callout" <callout@localhost>' });
    expect(mail.html).toContain(`href="${link.href.replaceAll('&', '&amp;')}"`);
  });

  it('is reported to its email once replaced, with a way to set another one', async () => {
    const { email } = await signUp(test);
    await auth().resetPassword({ token: tokenOf(await mailedLink(email)), password: 'secret-new' });
    await expect.poll(() => mailbox.mailsTo(email).length, { timeout: 10_000 }).toBe(2);
    const notice = mailbox.mailsTo(email)[1];
    expect(notice?.subject).toBe('Your password for Callout was changed');
    expect(notice?.text).toContain('https://work.example.com/auth?mode=reset-password');
  });

  it('ends every session of the person once replaced', async () => {
    const { email, password } = await signUp(test);
    const cookie = await signIn(test, email, password);
    await auth().resetPassword({ token: tokenOf(await mailedLink(email)), password: 'secret-new' });
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(401);
  });

  it('resets the count of wrong guesses once replaced', async () => {
    const { email } = await signUp(test);
    for (let n = 0; n < 11; n += 1)
      await auth()
        .signIn({ email, password: 'wrong-one' })
        .catch(() => undefined);
    await auth().resetPassword({ token: tokenOf(await mailedLink(email)), password: 'secret-new' });
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('is mailed by the queue without using the connections of calls', async () => {
    const { email } = await signUp(test);
    const { system } = test.app.platform.pools;
    const busy = await Promise.all(Array.from({ length: system.options.max }, () => system.connect()));
    try {
      await sendPasswordReset.later(test.owner, { email });
      expect((await mailbox.mailTo(email)).subject).toBe('Set a new password for Callout');
    } finally {
      for (const client of busy) client.release();
    }
  });

  it('can be requested in any letter case and is mailed to the account’s email', async () => {
    const { email } = await signUp(test);
    await auth().requestPasswordReset({ email: email.toUpperCase() });
    expect((await mailbox.mailTo(email)).headers).toContain(`To: ${email}`);
  });
});

it('a forged Host header never changes a mailed link, even without APP_URL', async () => {
  const anywhere = await startTestApp({ ...mailbox.environment, APP_URL: '' });
  const { email } = await signUp(anywhere);
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  const answer = await anywhere.request('POST', '/api/auth/request-password-reset', { headers, body: { email } });
  expect(answer.statusCode).toBe(200);
  const { text, html } = await mailbox.mailTo(email);
  expect(text).toContain('http://localhost:0/auth?reset=true');
  expect(`${text}${html}`).not.toContain('evil.example');
});

describe('a mailed link', () => {
  const refused = { code: 'LINK_EXPIRED', status: 410 };

  it('works once', async () => {
    const { email } = await signUp(test);
    const token = tokenOf(await mailedLink(email));
    await auth().viewResetLink({ token });
    await auth().resetPassword({ token, password: 'secret-new' });
    await expect(auth().resetPassword({ token, password: 'secret-two' })).rejects.toMatchObject(refused);
    await expect(auth().viewResetLink({ token })).rejects.toMatchObject(refused);
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('works once when used twice at the same time', async () => {
    const { email } = await signUp(test);
    const token = tokenOf(await mailedLink(email));
    const outcomes = await Promise.allSettled(['secret-a', 'secret-b'].map((password) => auth().resetPassword({ token, password })));
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is dead after its hour', async () => {
    const { email, password } = await signUp(test);
    const token = tokenOf(await mailedLink(email));
    await test.app.platform.pools.system.query(`update password_links set expires_at = now() - interval '1 second'`);
    await expect(auth().viewResetLink({ token })).rejects.toMatchObject(refused);
    await expect(auth().resetPassword({ token, password: 'secret-new' })).rejects.toMatchObject(refused);
    expect(await signIn(test, email, password)).not.toBe('');
  });

  it('expires in an hour', async () => {
    await test.app.platform.pools.system.query('delete from password_links');
    await mailedLink((await signUp(test)).email);
    const { rows } = await test.app.platform.pools.system.query<{ minutes: number }>(
      'select round(extract(epoch from expires_at - now()) / 60)::int as minutes from password_links',
    );
    expect(rows).toEqual([{ minutes: 60 }]);
  });

  it('refuses a password of 5 characters and still works afterwards', async () => {
    const { email } = await signUp(test);
    const token = tokenOf(await mailedLink(email));
    await expect(auth().resetPassword({ token, password: '12345' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { password: 'Password must be at least 6 characters long' } },
    });
    await auth().resetPassword({ token, password: 'h7k2pq' });
    expect(await signIn(test, email, 'h7k2pq')).not.toBe('');
  });

  it.each(['qwerty', 'Letmein123'])('refuses the common password %s and still works afterwards', async (common) => {
    const { email, password } = await signUp(test);
    const token = tokenOf(await mailedLink(email));
    await expect(auth().resetPassword({ token, password: common })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { password: 'This password is too common. Please choose another one.' } },
    });
    expect(await signIn(test, email, password)).not.toBe('');
    await auth().resetPassword({ token, password: 'h7k2pq' });
  });

  it('refuses the name in the email as password', async () => {
    const { email } = await signUp(test, `tane.walker.${uniqueEmail()}`);
    const token = tokenOf(await mailedLink(email));
    await expect(auth().resetPassword({ token, password: email.split('@')[0] ?? '' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('stays valid when another is requested, until one of them is used', async () => {
    const { email } = await signUp(test);
    const first = tokenOf(await mailedLink(email));
    await auth().requestPasswordReset({ email });
    await expect.poll(() => mailbox.mailsTo(email).length, { timeout: 10_000 }).toBe(2);
    const second = tokenOf(new URL(/https:\S+/.exec(mailbox.mailsTo(email)[1]?.text ?? '')?.[0] ?? ''));
    await auth().resetPassword({ token: first, password: 'secret-new' });
    await expect(auth().resetPassword({ token: second, password: 'secret-two' })).rejects.toMatchObject(refused);
  });

  it('cannot be read from the database after it was sent', async () => {
    const token = tokenOf(await mailedLink((await signUp(test)).email));
    await waitForQueue(test);
    expect(await tablesWith(test, token)).toEqual([]);
  });

  it('that never existed is answered like a used one', async () => {
    await expect(auth().resetPassword({ token: 'never', password: 'secret-1' })).rejects.toMatchObject(refused);
  });
});

describe('requesting a link', () => {
  it.each([
    ['nobody has', uniqueEmail()],
    ['no account can have', 'josé@exämple.com'],
  ])('for an email that %s gets the same answer, and nothing is mailed', async (_, unknown) => {
    const { email } = await signUp(test);
    const [known, other] = [await auth().requestPasswordReset({ email }), await auth().requestPasswordReset({ email: unknown })];
    expect(other).toEqual(known);
    await mailbox.mailTo(email);
    const { rows } = await test.app.platform.pools.system.query('select 1 from outbox_mails where recipient = $1', [unknown]);
    expect(rows).toEqual([]);
  });

  it('is retried when the mail could not be queued', async () => {
    const { email } = await signUp(test);
    const { owner } = test;
    await owner.query('alter function queue_mail rename to queue_mail_away');
    onTestFinished(
      async () => void (await owner.query('alter function if exists queue_mail_away rename to queue_mail').catch(() => undefined)),
    );
    await auth().requestPasswordReset({ email });
    const failed = () =>
      owner.query(`select from graphile_worker._private_jobs where payload ->> 'email' = $1 and last_error is not null`, [email]);
    await expect.poll(async () => (await failed()).rowCount, { timeout: 20_000 }).toBe(1);
    await owner.query('alter function queue_mail_away rename to queue_mail');
    await retryNow(test);
    expect(await mailbox.mailTo(email)).toMatchObject({ to: [email] });
  });
});
