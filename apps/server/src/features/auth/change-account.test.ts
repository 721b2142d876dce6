import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cookieFrom, signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { tablesWith } from '../../../test/every-row.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment, APP_URL: 'https://work.example.com' });
  return () => mailbox.stop();
});

const system = () => test.app.platform.pools.system;

beforeEach(async () => {
  await system().query('delete from rate_limits');
});

/** A signed-in person with a self-made account. */
async function person() {
  const { email, password } = await signUp(test);
  const cookie = await signIn(test, email, password);
  return { email, password, cookie, client: test.client(cookie) };
}

const isIn = async (cookie: string) => (await test.request('GET', '/api/me', { cookie })).statusCode === 200;

describe('changing the password', () => {
  it('replaces the old password', async () => {
    const { client, email, password } = await person();
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    await expect(test.client().auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('ends every other session and its open pages at once, and keeps this one', async () => {
    const { client, cookie, email, password } = await person();
    const elsewhere = await signIn(test, email, password);
    const stream = await openStream(test, elsewhere);
    const own = await openStream(test, cookie);
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    expect([await isIn(cookie), await isIn(elsewhere)]).toEqual([true, false]);
    expect(await stream.next()).toMatchObject({ event: 'signed-out' });
    expect(own.events).toEqual([]);
  });

  it('requires the current password: without it nothing changes and nobody is signed out', async () => {
    const { client, email, password } = await person();
    const elsewhere = await signIn(test, email, password);
    await expect(client.auth.changePassword({ current_password: 'guessed-it', new_password: 'secret-new' })).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
      status: 403,
      message: 'Current password is incorrect',
    });
    expect(await isIn(elsewhere)).toBe(true);
    expect(await signIn(test, email, password)).not.toBe('');
  });

  it('limits guesses of the current password', async () => {
    const { client } = await person();
    const guess = () =>
      client.auth.changePassword({ current_password: 'guessed-it', new_password: 'secret-new' }).catch((error: unknown) => error);
    for (let n = 0; n < 10; n += 1) expect(await guess()).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(await guess()).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it('notifies the account’s email, with a way to set another password', async () => {
    const { client, email, password } = await person();
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    const mail = await mailbox.mailTo(email);
    expect(mail.subject).toBe('Your password for Callout was changed');
    expect(mail.text).toContain('https://work.example.com/auth?mode=reset-password');
  });

  it.each(['123456', 'Welcome123'])('refuses the common password %s: nothing changes and nobody is signed out', async (common) => {
    const { client, email, password } = await person();
    const elsewhere = await signIn(test, email, password);
    await expect(client.auth.changePassword({ current_password: password, new_password: common })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { new_password: 'This password is too common. Please choose another one.' } },
    });
    expect(await isIn(elsewhere)).toBe(true);
    expect(await signIn(test, email, password)).not.toBe('');
  });

  it('requires at least 6 characters', async () => {
    const { client, password } = await person();
    await expect(client.auth.changePassword({ current_password: password, new_password: '12345' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { new_password: 'Password must be at least 6 characters' } },
    });
  });
});

/** The token in the newest mail to this email. */
async function mailedToken(email: string): Promise<string> {
  await mailbox.mailTo(email.toLowerCase());
  const link = new URL(/https:\S+/.exec(mailbox.mailsTo(email).at(-1)?.text ?? '')?.[0] ?? '');
  return link.searchParams.get('token') ?? '';
}

type Somebody = Awaited<ReturnType<typeof person>>;

async function request({ client, password }: Somebody, email: string): Promise<string> {
  expect(await client.auth.requestEmailChange({ email, current_password: password })).toEqual({ mail: 'queued' });
  const token = await mailedToken(email);
  expect(mailbox.mailsTo(email).at(-1)?.text).toContain(`https://work.example.com/confirm-email?token=${token}`);
  return token;
}

const confirm = ({ client }: Somebody, token: string) => client.auth.confirmEmailChange({ token });
const dead = { code: 'LINK_EXPIRED' };

it('a person gets at most six such mails a day, however many accounts ask for them', async () => {
  await test.owner.query('delete from rate_limits');
  const target = uniqueEmail();
  for (let n = 0; n < 6; n += 1) {
    const { client, password } = await person();
    await client.auth.requestEmailChange({ email: target, current_password: password });
  }
  const { client, password } = await person();
  await expect(client.auth.requestEmailChange({ email: target, current_password: password })).rejects.toMatchObject({
    code: 'TOO_MANY_ATTEMPTS',
  });
  expect((await client.company.me()).user.pending_email).toBeNull();
});

describe('changing the email', () => {
  it('takes effect when the mailed link is opened, and notifies the old email', async () => {
    const mover = await person();
    const { client, email, password } = mover;
    await client.company.start();
    const next = uniqueEmail();
    const token = await request(mover, next.toUpperCase());
    expect((await client.company.me()).user).toMatchObject({ email, pending_email: next });
    expect(await confirm(mover, token)).toEqual({ email: next });
    expect((await client.company.me()).user).toMatchObject({ email: next, pending_email: null });
    await expect(test.client().auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await signIn(test, next, password)).not.toBe('');
    expect(await mailbox.mailTo(email)).toMatchObject({ subject: 'Your email address for Callout was changed' });
    const { rows } = await system().query('select email from staff_members where profile_id = $1', [(await client.company.me()).user.id]);
    expect(rows).toEqual([{ email: next }]);
  });

  it('requires the current password: without it nothing is mailed or stored', async () => {
    const { client } = await person();
    const wanted = uniqueEmail();
    await expect(client.auth.requestEmailChange({ email: wanted, current_password: 'guessed-it' })).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
      message: 'Current password is incorrect',
    });
    expect((await client.company.me()).user.pending_email).toBeNull();
    expect((await system().query('select from outbox_mails where recipient = $1', [wanted])).rowCount).toBe(0);
  });

  it('limits guesses of the password', async () => {
    const { client } = await person();
    const guess = () =>
      client.auth.requestEmailChange({ email: uniqueEmail(), current_password: 'guessed-it' }).catch((error: unknown) => error);
    for (let n = 0; n < 10; n += 1) expect(await guess()).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(await guess()).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it('ends every other session and its open pages when it takes effect, and keeps this one', async () => {
    const mover = await person();
    const elsewhere = await signIn(test, mover.email, mover.password);
    const [page, own] = [await openStream(test, elsewhere), await openStream(test, mover.cookie)];
    const token = await request(mover, uniqueEmail());
    expect(await isIn(elsewhere)).toBe(true);
    await confirm(mover, token);
    expect([await isIn(mover.cookie), await isIn(elsewhere)]).toEqual([true, false]);
    expect(await page.next()).toMatchObject({ event: 'signed-out' });
    expect(own.events).toEqual([]);
  });

  it('can only be confirmed by the account that requested it', async () => {
    const [mover, other] = [await person(), await person()];
    const token = await request(mover, uniqueEmail());
    await expect(confirm(other, token)).rejects.toMatchObject(dead);
    await expect(test.client().auth.confirmEmailChange({ token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await mover.client.company.me()).user.email).toBe(mover.email);
    expect((await other.client.company.me()).user.email).toBe(other.email);
    await confirm(mover, token);
  });

  it('needs an unused link, not replaced by a later one and at most a day old', async () => {
    const mover = await person();
    const [first, second] = [await request(mover, uniqueEmail()), await request(mover, uniqueEmail())];
    await expect(confirm(mover, first)).rejects.toMatchObject(dead);
    await confirm(mover, second);
    await expect(confirm(mover, second)).rejects.toMatchObject(dead);
    const third = await request(mover, uniqueEmail());
    await system().query(`update email_changes set expires_at = expires_at - interval '24 hours'`);
    expect((await mover.client.company.me()).user.pending_email).toBeNull();
    await expect(confirm(mover, third)).rejects.toMatchObject(dead);
    await expect(confirm(mover, 'no-such-token')).rejects.toMatchObject(dead);
  });

  it('refuses a taken email, both on request and on confirmation', async () => {
    const [one, two] = [await person(), await person()];
    await expect(
      one.client.auth.requestEmailChange({ email: two.email.toUpperCase(), current_password: one.password }),
    ).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    const wanted = uniqueEmail();
    const token = await request(one, wanted);
    await signUp(test, wanted);
    await expect(confirm(one, token)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect((await one.client.company.me()).user).toMatchObject({ email: one.email, pending_email: wanted });
  });

  it.each(['abc', 'a@b', 'a b@example.com'])('refuses %j', async (email) => {
    const { client, password } = await person();
    await expect(client.auth.requestEmailChange({ email, current_password: password })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('refuses the current email', async () => {
    const { client, email, password } = await person();
    await expect(client.auth.requestEmailChange({ email, current_password: password })).rejects.toMatchObject({
      data: { fields: { email: 'This is already your email.' } },
    });
  });

  it('leaves no usable link in the database after it was sent', async () => {
    const token = await request(await person(), uniqueEmail());
    await waitForQueue(test);
    expect(await tablesWith(test, token)).toEqual([]);
  });

  it('keeps a different email that the company has for the person', async () => {
    const mover = await person();
    await mover.client.company.start();
    const { id } = (await mover.client.company.me()).user;
    await system().query(`update staff_members set email = 'office@example.com' where profile_id = $1`, [id]);
    await confirm(mover, await request(mover, uniqueEmail()));
    const { rows } = await system().query('select email from staff_members where profile_id = $1', [id]);
    expect(rows).toEqual([{ email: 'office@example.com' }]);
  });
});

describe('an open link', () => {
  it('to change the email still works after the current one was confirmed, and vice versa', async () => {
    const mover = await person();
    const next = uniqueEmail();
    const move = await request(mover, next);
    await mover.client.auth.requestEmailConfirmation();
    const own = await mailedToken(mover.email);
    expect((await mover.client.company.me()).user).toMatchObject({ email: mover.email, pending_email: next });
    expect(await confirm(mover, own)).toEqual({ email: mover.email });
    expect((await mover.client.company.me()).user).toMatchObject({ email: mover.email, pending_email: next });
    expect(await confirm(mover, move)).toEqual({ email: next });

    const other = await person();
    await other.client.auth.requestEmailConfirmation();
    const confirmOwn = await mailedToken(other.email);
    await request(other, uniqueEmail());
    expect(await confirm(other, confirmOwn)).toEqual({ email: other.email });
    await expect(confirm(other, confirmOwn)).rejects.toMatchObject(dead);
  });

  it('to confirm the current email is dead once the account has another one', async () => {
    const mover = await person();
    await mover.client.auth.requestEmailConfirmation();
    const own = await mailedToken(mover.email);
    const next = uniqueEmail();
    await confirm(mover, await request(mover, next));
    await expect(confirm(mover, own)).rejects.toMatchObject(dead);
    expect((await mover.client.company.me()).user).toMatchObject({ email: next, pending_email: null });
  });

  it('to change the email is dead after a password change', async () => {
    const mover = await person();
    const { client, email, password } = mover;
    const token = await request(mover, uniqueEmail());
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    await expect(confirm(mover, token)).rejects.toMatchObject(dead);
    expect((await client.company.me()).user.email).toBe(email);
  });

  it('to change the email is dead after a password reset', async () => {
    const mover = await person();
    const token = await request(mover, uniqueEmail());
    await test.client().auth.requestPasswordReset({ email: mover.email });
    await test.client().auth.resetPassword({ token: await mailedToken(mover.email), password: 'secret-new' });
    const client = test.client(await signIn(test, mover.email, 'secret-new'));
    await expect(confirm({ ...mover, client }, token)).rejects.toMatchObject(dead);
  });

  it('to reset the password, mailed to the old email, is dead once the email has changed', async () => {
    const mover = await person();
    const token = await request(mover, uniqueEmail());
    await test.client().auth.requestPasswordReset({ email: mover.email });
    const reset = await mailedToken(mover.email);
    await confirm(mover, token);
    await expect(test.client().auth.resetPassword({ token: reset, password: 'secret-new' })).rejects.toMatchObject(dead);
  });

  it('to change the email is not created when the password changes during the request', async () => {
    const mover = await person();
    const outcome = await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from users where email = $1 for update', [mover.email]);
      const asking = mover.client.auth
        .requestEmailChange({ email: uniqueEmail(), current_password: mover.password })
        .catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await owner.query(`update accounts set password = 'another' where user_id = (select id from users where email = $1)`, [mover.email]);
      await owner.query('commit');
      return asking;
    });
    expect(outcome).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect((await mover.client.company.me()).user.pending_email).toBeNull();
  });
});

it('a sign-in in progress while the password changes does not outlive it', async () => {
  const { email, password } = await person();
  const signingIn = withOwner(test.database, async (owner) => {
    await owner.query('begin');
    await owner.query('lock table sessions in share mode');
    const answer = test.request('POST', '/api/auth/sign-in', { body: { email, password } });
    await waitUntilBlocked(test.database);
    // What a password change does between verifying the old password and creating this session.
    await owner.query(`update accounts set password = 'another' where user_id = (select id from users where email = $1)`, [email]);
    await owner.query('delete from sessions where user_id = (select id from users where email = $1)', [email]);
    await owner.query('commit');
    return answer;
  });
  const answer = await signingIn;
  expect([answer.statusCode, cookieFrom(answer)]).toEqual([401, undefined]);
  const { rows } = await system().query('select s.id from sessions s join users u on u.id = s.user_id where u.email = $1', [email]);
  expect(rows).toEqual([]);
});

describe('while the company is being deleted', () => {
  /** Locks the company and then its people, as its deletion does; a call that locks in another order would deadlock. */
  const whileCompanyIsHeld = (companyId: string, work: () => Promise<unknown>) =>
    withOwner(test.database, async (owner) => {
      await owner.query(`set lock_timeout = '5s'`);
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [companyId]);
      const working = work();
      await waitUntilBlocked(test.database);
      await owner.query('select from staff_members where company_id = $1 for update', [companyId]);
      await owner.query('select from users u join staff_members m on m.profile_id = u.id where m.company_id = $1 for update of u', [
        companyId,
      ]);
      await owner.query('delete from email_changes where user_id in (select profile_id from staff_members where company_id = $1)', [
        companyId,
      ]);
      await owner.query('rollback');
      return working;
    });

  const founder = async () => {
    const owner = await person();
    const { profile } = await owner.client.company.start();
    return { owner, companyId: profile?.company_id ?? '' };
  };

  it('confirming a new email does not deadlock', async () => {
    const { owner, companyId } = await founder();
    const next = uniqueEmail();
    const token = await request(owner, next);
    expect(await whileCompanyIsHeld(companyId, () => confirm(owner, token))).toEqual({ email: next });
  });

  it('requesting a new email does not deadlock', async () => {
    const { owner, companyId } = await founder();
    await request(owner, uniqueEmail());
    const ask = () => owner.client.auth.requestEmailChange({ email: uniqueEmail(), current_password: owner.password });
    expect(await whileCompanyIsHeld(companyId, ask)).toEqual({ mail: 'queued' });
  });

  it('changing the password does not deadlock', async () => {
    const { owner, companyId } = await founder();
    const change = () => owner.client.auth.changePassword({ current_password: owner.password, new_password: 'secret-new' });
    expect(await whileCompanyIsHeld(companyId, change)).toEqual({});
  });
});
