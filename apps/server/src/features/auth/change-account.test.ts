import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, getSessionCookie, signIn, signUp } from '../../../test/accounts.ts';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { findTablesContaining } from '../../../test/stored-data.ts';
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

async function signUpAndSignIn() {
  const { email, password } = await signUp(test);
  const cookie = await signIn(test, email, password);
  return { email, password, cookie, client: test.client(cookie) };
}

const isSignedIn = async (cookie: string) => (await test.request('GET', '/api/me', { cookie })).statusCode === 200;

describe('changing the password', () => {
  it('replaces the old password', async () => {
    const { client, email, password } = await signUpAndSignIn();
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    await expect(test.client().auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('immediately ends every other session and its open pages, but not the current one', async () => {
    const { client, cookie, email, password } = await signUpAndSignIn();
    const otherCookie = await signIn(test, email, password);
    const otherStream = await openEventStream(test, otherCookie);
    const currentStream = await openEventStream(test, cookie);
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    expect([await isSignedIn(cookie), await isSignedIn(otherCookie)]).toEqual([true, false]);
    expect(await otherStream.next()).toMatchObject({ event: 'signed-out' });
    expect(currentStream.events).toEqual([]);
  });

  it('requires the current password, and otherwise changes nothing and keeps all sessions signed in', async () => {
    const { client, email, password } = await signUpAndSignIn();
    const otherCookie = await signIn(test, email, password);
    await expect(client.auth.changePassword({ current_password: 'guessed-it', new_password: 'secret-new' })).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
      status: 403,
      message: 'Current password is incorrect',
    });
    expect(await isSignedIn(otherCookie)).toBe(true);
    expect(await signIn(test, email, password)).not.toBe('');
  });

  it('limits guesses of the current password', async () => {
    const { client } = await signUpAndSignIn();
    const guess = () =>
      client.auth.changePassword({ current_password: 'guessed-it', new_password: 'secret-new' }).catch((error: unknown) => error);
    for (let n = 0; n < 10; n += 1) expect(await guess()).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(await guess()).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it('sends the owner an email that links to a password reset', async () => {
    const { client, email, password } = await signUpAndSignIn();
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    const mail = await mailbox.waitForMail(email);
    expect(mail.subject).toBe('Your Callout password was changed');
    expect(mail.text).toContain('https://work.example.com/auth?mode=reset-password');
  });

  it.each(['123456', 'Welcome123'])('rejects the common password %s and keeps the password and all sessions', async (common) => {
    const { client, email, password } = await signUpAndSignIn();
    const otherCookie = await signIn(test, email, password);
    await expect(client.auth.changePassword({ current_password: password, new_password: common })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { new_password: 'This password is too common. Please choose another one.' } },
    });
    expect(await isSignedIn(otherCookie)).toBe(true);
    expect(await signIn(test, email, password)).not.toBe('');
  });

  it('requires at least 6 characters', async () => {
    const { client, password } = await signUpAndSignIn();
    await expect(client.auth.changePassword({ current_password: password, new_password: '12345' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { new_password: 'Password must be at least 6 characters' } },
    });
  });
});

/** Returns the token from the newest email sent to `email`. */
async function waitForMailedToken(email: string): Promise<string> {
  await mailbox.waitForMail(email.toLowerCase());
  const link = new URL(/https:\S+/.exec(mailbox.listMailsTo(email).at(-1)?.text ?? '')?.[0] ?? '');
  return link.searchParams.get('token') ?? '';
}

type SignedInPerson = Awaited<ReturnType<typeof signUpAndSignIn>>;

async function requestEmailChange({ client, password }: SignedInPerson, email: string): Promise<string> {
  expect(await client.auth.requestEmailChange({ email, current_password: password })).toEqual({ mail: 'queued' });
  const token = await waitForMailedToken(email);
  expect(mailbox.listMailsTo(email).at(-1)?.text).toContain(`https://work.example.com/confirm-email?token=${token}`);
  return token;
}

const confirmEmailChange = ({ client }: SignedInPerson, token: string) => client.auth.confirmEmailChange({ token });
const LINK_EXPIRED = { code: 'LINK_EXPIRED' };

it('sends at most six confirmation emails a day to one address, even if many accounts request them', async () => {
  await test.owner.query('delete from rate_limits');
  const target = buildTestEmail();
  for (let n = 0; n < 6; n += 1) {
    const { client, password } = await signUpAndSignIn();
    await client.auth.requestEmailChange({ email: target, current_password: password });
  }
  const { client, password } = await signUpAndSignIn();
  await expect(client.auth.requestEmailChange({ email: target, current_password: password })).rejects.toMatchObject({
    code: 'TOO_MANY_ATTEMPTS',
  });
  expect((await client.company.me()).user.pending_email).toBeNull();
});

describe('changing the email address', () => {
  it('takes effect once the emailed link is confirmed, and notifies the old address', async () => {
    const person = await signUpAndSignIn();
    const { client, email, password } = person;
    await client.company.start();
    const newEmail = buildTestEmail();
    const token = await requestEmailChange(person, newEmail.toUpperCase());
    expect((await client.company.me()).user).toMatchObject({ email, pending_email: newEmail });
    expect(await confirmEmailChange(person, token)).toEqual({ email: newEmail });
    expect((await client.company.me()).user).toMatchObject({ email: newEmail, pending_email: null });
    await expect(test.client().auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await signIn(test, newEmail, password)).not.toBe('');
    expect(await mailbox.waitForMail(email)).toMatchObject({ subject: 'Your Callout email address was changed' });
    const { rows } = await system().query('select email from staff_members where profile_id = $1', [(await client.company.me()).user.id]);
    expect(rows).toEqual([{ email: newEmail }]);
  });

  it('requires the current password, and otherwise emails and stores nothing', async () => {
    const { client } = await signUpAndSignIn();
    const newEmail = buildTestEmail();
    await expect(client.auth.requestEmailChange({ email: newEmail, current_password: 'guessed-it' })).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
      message: 'Current password is incorrect',
    });
    expect((await client.company.me()).user.pending_email).toBeNull();
    expect((await system().query('select from outbox_mails where recipient = $1', [newEmail])).rowCount).toBe(0);
  });

  it('limits guesses of the current password', async () => {
    const { client } = await signUpAndSignIn();
    const guess = () =>
      client.auth.requestEmailChange({ email: buildTestEmail(), current_password: 'guessed-it' }).catch((error: unknown) => error);
    for (let n = 0; n < 10; n += 1) expect(await guess()).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(await guess()).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it('ends every other session and its open pages when it takes effect, but not the current one', async () => {
    const person = await signUpAndSignIn();
    const otherCookie = await signIn(test, person.email, person.password);
    const [otherStream, currentStream] = [await openEventStream(test, otherCookie), await openEventStream(test, person.cookie)];
    const token = await requestEmailChange(person, buildTestEmail());
    expect(await isSignedIn(otherCookie)).toBe(true);
    await confirmEmailChange(person, token);
    expect([await isSignedIn(person.cookie), await isSignedIn(otherCookie)]).toEqual([true, false]);
    expect(await otherStream.next()).toMatchObject({ event: 'signed-out' });
    expect(currentStream.events).toEqual([]);
  });

  it('can be confirmed only by the account that requested it', async () => {
    const [person, other] = [await signUpAndSignIn(), await signUpAndSignIn()];
    const token = await requestEmailChange(person, buildTestEmail());
    await expect(confirmEmailChange(other, token)).rejects.toMatchObject(LINK_EXPIRED);
    await expect(test.client().auth.confirmEmailChange({ token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await person.client.company.me()).user.email).toBe(person.email);
    expect((await other.client.company.me()).user.email).toBe(other.email);
    await confirmEmailChange(person, token);
  });

  it('rejects a link that was used, replaced by a later link, or created more than a day ago', async () => {
    const person = await signUpAndSignIn();
    const [first, second] = [await requestEmailChange(person, buildTestEmail()), await requestEmailChange(person, buildTestEmail())];
    await expect(confirmEmailChange(person, first)).rejects.toMatchObject(LINK_EXPIRED);
    await confirmEmailChange(person, second);
    await expect(confirmEmailChange(person, second)).rejects.toMatchObject(LINK_EXPIRED);
    const third = await requestEmailChange(person, buildTestEmail());
    await system().query(`update email_changes set expires_at = expires_at - interval '24 hours'`);
    expect((await person.client.company.me()).user.pending_email).toBeNull();
    await expect(confirmEmailChange(person, third)).rejects.toMatchObject(LINK_EXPIRED);
    await expect(confirmEmailChange(person, 'no-such-token')).rejects.toMatchObject(LINK_EXPIRED);
  });

  it('rejects a taken address, both on request and on confirmation', async () => {
    const [one, two] = [await signUpAndSignIn(), await signUpAndSignIn()];
    await expect(
      one.client.auth.requestEmailChange({ email: two.email.toUpperCase(), current_password: one.password }),
    ).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    const newEmail = buildTestEmail();
    const token = await requestEmailChange(one, newEmail);
    await signUp(test, newEmail);
    await expect(confirmEmailChange(one, token)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect((await one.client.company.me()).user).toMatchObject({ email: one.email, pending_email: newEmail });
  });

  it.each(['abc', 'a@b', 'a b@example.com'])('rejects the invalid address %j', async (email) => {
    const { client, password } = await signUpAndSignIn();
    await expect(client.auth.requestEmailChange({ email, current_password: password })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('rejects the current address', async () => {
    const { client, email, password } = await signUpAndSignIn();
    await expect(client.auth.requestEmailChange({ email, current_password: password })).rejects.toMatchObject({
      data: { fields: { email: 'This is already your email address.' } },
    });
  });

  it('leaves no usable link in the database once the email is sent', async () => {
    const token = await requestEmailChange(await signUpAndSignIn(), buildTestEmail());
    await waitForQueue(test);
    expect(await findTablesContaining(test, token)).toEqual([]);
  });

  it('does not change a different address that the company has on file for the person', async () => {
    const person = await signUpAndSignIn();
    await person.client.company.start();
    const { id } = (await person.client.company.me()).user;
    await system().query(`update staff_members set email = 'office@example.com' where profile_id = $1`, [id]);
    await confirmEmailChange(person, await requestEmailChange(person, buildTestEmail()));
    const { rows } = await system().query('select email from staff_members where profile_id = $1', [id]);
    expect(rows).toEqual([{ email: 'office@example.com' }]);
  });
});

describe('an account', () => {
  it('keeps an email change link valid after the current address is confirmed, and vice versa', async () => {
    const person = await signUpAndSignIn();
    const newEmail = buildTestEmail();
    const changeToken = await requestEmailChange(person, newEmail);
    await person.client.auth.requestEmailConfirmation();
    const confirmToken = await waitForMailedToken(person.email);
    expect((await person.client.company.me()).user).toMatchObject({ email: person.email, pending_email: newEmail });
    expect(await confirmEmailChange(person, confirmToken)).toEqual({ email: person.email });
    expect((await person.client.company.me()).user).toMatchObject({ email: person.email, pending_email: newEmail });
    expect(await confirmEmailChange(person, changeToken)).toEqual({ email: newEmail });

    const other = await signUpAndSignIn();
    await other.client.auth.requestEmailConfirmation();
    const otherToken = await waitForMailedToken(other.email);
    await requestEmailChange(other, buildTestEmail());
    expect(await confirmEmailChange(other, otherToken)).toEqual({ email: other.email });
    await expect(confirmEmailChange(other, otherToken)).rejects.toMatchObject(LINK_EXPIRED);
  });

  it('revokes the link to confirm the current address once the address changes', async () => {
    const person = await signUpAndSignIn();
    await person.client.auth.requestEmailConfirmation();
    const confirmToken = await waitForMailedToken(person.email);
    const newEmail = buildTestEmail();
    await confirmEmailChange(person, await requestEmailChange(person, newEmail));
    await expect(confirmEmailChange(person, confirmToken)).rejects.toMatchObject(LINK_EXPIRED);
    expect((await person.client.company.me()).user).toMatchObject({ email: newEmail, pending_email: null });
  });

  it('revokes an email change link after a password change', async () => {
    const person = await signUpAndSignIn();
    const { client, email, password } = person;
    const token = await requestEmailChange(person, buildTestEmail());
    await client.auth.changePassword({ current_password: password, new_password: 'secret-new' });
    await expect(confirmEmailChange(person, token)).rejects.toMatchObject(LINK_EXPIRED);
    expect((await client.company.me()).user.email).toBe(email);
  });

  it('revokes an email change link after a password reset', async () => {
    const person = await signUpAndSignIn();
    const token = await requestEmailChange(person, buildTestEmail());
    await test.client().auth.requestPasswordReset({ email: person.email });
    await test.client().auth.resetPassword({ token: await waitForMailedToken(person.email), password: 'secret-new' });
    const client = test.client(await signIn(test, person.email, 'secret-new'));
    await expect(confirmEmailChange({ ...person, client }, token)).rejects.toMatchObject(LINK_EXPIRED);
  });

  it('revokes a password reset link once the email address changes', async () => {
    const person = await signUpAndSignIn();
    const token = await requestEmailChange(person, buildTestEmail());
    await test.client().auth.requestPasswordReset({ email: person.email });
    const resetToken = await waitForMailedToken(person.email);
    await confirmEmailChange(person, token);
    await expect(test.client().auth.resetPassword({ token: resetToken, password: 'secret-new' })).rejects.toMatchObject(LINK_EXPIRED);
  });

  it('creates no email change link if the password changes during the request', async () => {
    const person = await signUpAndSignIn();
    const outcome = await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from users where email = $1 for update', [person.email]);
      const pendingRequest = person.client.auth
        .requestEmailChange({ email: buildTestEmail(), current_password: person.password })
        .catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await owner.query(`update accounts set password = 'another' where user_id = (select id from users where email = $1)`, [person.email]);
      await owner.query('commit');
      return pendingRequest;
    });
    expect(outcome).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect((await person.client.company.me()).user.pending_email).toBeNull();
  });
});

it('rejects a sign-in that was in progress when the password changed', async () => {
  const { email, password } = await signUpAndSignIn();
  const pendingSignIn = withOwnerClient(test.database, async (owner) => {
    await owner.query('begin');
    await owner.query('lock table sessions in share mode');
    const response = test.request('POST', '/api/auth/sign-in', { body: { email, password } });
    await waitUntilBlocked(test.database);
    // Change the password after the sign-in verified the old one and before it creates the session.
    await owner.query(`update accounts set password = 'another' where user_id = (select id from users where email = $1)`, [email]);
    await owner.query('delete from sessions where user_id = (select id from users where email = $1)', [email]);
    await owner.query('commit');
    return response;
  });
  const response = await pendingSignIn;
  expect([response.statusCode, getSessionCookie(response)]).toEqual([401, undefined]);
  const { rows } = await system().query('select s.id from sessions s join users u on u.id = s.user_id where u.email = $1', [email]);
  expect(rows).toEqual([]);
});

describe('while the company is being deleted', () => {
  /** Takes the same locks as a company deletion, in the same order. A call that locks in another order would deadlock. */
  const withCompanyLocked = (companyId: string, work: () => Promise<unknown>) =>
    withOwnerClient(test.database, async (owner) => {
      await owner.query(`set lock_timeout = '5s'`);
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [companyId]);
      const pendingWork = work();
      await waitUntilBlocked(test.database);
      await owner.query('select from staff_members where company_id = $1 for update', [companyId]);
      await owner.query('select from users u join staff_members m on m.profile_id = u.id where m.company_id = $1 for update of u', [
        companyId,
      ]);
      await owner.query('delete from email_changes where user_id in (select profile_id from staff_members where company_id = $1)', [
        companyId,
      ]);
      await owner.query('rollback');
      return pendingWork;
    });

  const createFounder = async () => {
    const owner = await signUpAndSignIn();
    const { profile } = await owner.client.company.start();
    return { owner, companyId: profile?.company_id ?? '' };
  };

  it('confirming a new email address does not deadlock', async () => {
    const { owner, companyId } = await createFounder();
    const newEmail = buildTestEmail();
    const token = await requestEmailChange(owner, newEmail);
    expect(await withCompanyLocked(companyId, () => confirmEmailChange(owner, token))).toEqual({ email: newEmail });
  });

  it('requesting a new email address does not deadlock', async () => {
    const { owner, companyId } = await createFounder();
    await requestEmailChange(owner, buildTestEmail());
    const sendRequest = () => owner.client.auth.requestEmailChange({ email: buildTestEmail(), current_password: owner.password });
    expect(await withCompanyLocked(companyId, sendRequest)).toEqual({ mail: 'queued' });
  });

  it('changing the password does not deadlock', async () => {
    const { owner, companyId } = await createFounder();
    const change = () => owner.client.auth.changePassword({ current_password: owner.password, new_password: 'secret-new' });
    expect(await withCompanyLocked(companyId, change)).toEqual({});
  });
});
