import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
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

beforeEach(async () => {
  await test.owner.query('delete from rate_limits');
});

const LINK_EXPIRED = { code: 'LINK_EXPIRED', status: 410 };

async function signUpAndSignIn({ confirmed } = { confirmed: true }) {
  const { email, password } = await signUp(test);
  await test.owner.query('update users set email_verified = $2 where email = $1', [email, confirmed]);
  const cookie = await signIn(test, email, password);
  return { email, password, cookie, client: test.client(cookie) };
}
type SignedInPerson = Awaited<ReturnType<typeof signUpAndSignIn>>;

/** Waits for an email to `email` that links to `page`, and returns the newest link's token. */
async function waitForMailedToken(email: string, page: string): Promise<string> {
  const pattern = new RegExp(`https://work\\.example\\.com/${page}\\S*token=([\\w-]+)`);
  const tokens = () => mailbox.listMailsTo(email).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);
  return vi.waitUntil(() => tokens().at(-1), { timeout: 10_000 });
}

type AccountAccess = Pick<SignedInPerson, 'client' | 'password'>;

async function changeEmail({ client, password }: AccountAccess, to: string): Promise<void> {
  await client.auth.requestEmailChange({ email: to, current_password: password });
  await client.auth.confirmEmailChange({ token: await waitForMailedToken(to, 'confirm-email') });
}

/** Changes the email address as an attacker with the password would. Returns the undo token sent to the old address. */
async function hijackEmail(owner: AccountAccess, to: string): Promise<string> {
  const oldEmail = (await owner.client.company.me()).user.email;
  await changeEmail(owner, to);
  return waitForMailedToken(oldEmail, 'undo-email-change');
}

const undoChange = (token: string, password = 'mine again') => test.client().auth.undoEmailChange({ token, password });
const isSignedIn = async (cookie: string) => (await test.request('GET', '/api/me', { cookie })).statusCode === 200;

describe('undoing an email change', () => {
  it('restores the old address, sets a new password, and ends every session and its open pages', async () => {
    const victim = await signUpAndSignIn();
    await victim.client.company.start();
    const thief = buildTestEmail();
    const token = await hijackEmail(victim, thief);
    const page = await openEventStream(test, victim.cookie);
    const otherCookie = await signIn(test, thief, victim.password);
    expect(await undoChange(token)).toEqual({ email: victim.email });
    expect([await isSignedIn(victim.cookie), await isSignedIn(otherCookie)]).toEqual([false, false]);
    expect(await page.next()).toMatchObject({ event: 'signed-out' });
    for (const [email, password] of [
      [thief, victim.password],
      [thief, 'mine again'],
      [victim.email, victim.password],
    ] as const) {
      await expect(test.client().auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    }
    const { user } = await test.client(await signIn(test, victim.email, 'mine again')).company.me();
    expect(user.email).toBe(victim.email);
    const { rows } = await test.owner.query('select email from staff_members where profile_id = $1', [user.id]);
    expect(rows).toEqual([{ email: victim.email }]);
  });

  it('revokes every other link that sets a password or changes the address', async () => {
    const victim = await signUpAndSignIn();
    const thief = buildTestEmail();
    const token = await hijackEmail(victim, thief);
    await test.client().auth.requestPasswordReset({ email: thief });
    const resetToken = await waitForMailedToken(thief, 'auth');
    const thirdEmail = buildTestEmail();
    await victim.client.auth.requestEmailChange({ email: thirdEmail, current_password: victim.password });
    const confirmToken = await waitForMailedToken(thirdEmail, 'confirm-email');
    await undoChange(token);
    await expect(test.client().auth.resetPassword({ token: resetToken, password: 'a way back in' })).rejects.toMatchObject(LINK_EXPIRED);
    const client = test.client(await signIn(test, victim.email, 'mine again'));
    await expect(client.auth.confirmEmailChange({ token: confirmToken })).rejects.toMatchObject(LINK_EXPIRED);
    expect((await client.company.me()).user).toMatchObject({ email: victim.email, pending_email: null });
  });

  it('uses a link sent to the old address and notifies both addresses afterwards', async () => {
    const victim = await signUpAndSignIn();
    const thief = buildTestEmail();
    const token = await hijackEmail(victim, thief);
    const undoMail = mailbox.listMailsTo(victim.email).at(-1);
    expect(undoMail?.subject).toBe('Your Callout email address was changed');
    expect(undoMail?.text).toContain(thief);
    await undoChange(token);
    await waitForQueue(test);
    expect(mailbox.listMailsTo(victim.email).at(-1)?.subject).toBe('Your Callout password was changed');
    expect(mailbox.listMailsTo(thief).at(-1)?.subject).toBe('Your Callout email address was changed back');
  });

  it('works only once and only within 7 days', async () => {
    const [first, second] = [await signUpAndSignIn(), await signUpAndSignIn()];
    const token = await hijackEmail(first, buildTestEmail());
    await undoChange(token);
    await expect(undoChange(token, 'again and again')).rejects.toMatchObject(LINK_EXPIRED);
    expect(await signIn(test, first.email, 'mine again')).not.toBe('');

    const expiredToken = await hijackEmail(second, buildTestEmail());
    const { rows } = await test.owner.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - now()) / 3600)::int as hours from password_links where email = $1`,
      [second.email],
    );
    expect(rows).toEqual([{ hours: 168 }]);
    await test.owner.query(`update password_links set expires_at = now() - interval '1 second' where email = $1`, [second.email]);
    await expect(undoChange(expiredToken)).rejects.toMatchObject(LINK_EXPIRED);
    expect(await isSignedIn(second.cookie)).toBe(true);
  });

  it('rejects a password reset link, and an undo link cannot reset a password', async () => {
    const victim = await signUpAndSignIn();
    const token = await hijackEmail(victim, buildTestEmail());
    await expect(test.client().auth.resetPassword({ token, password: 'mine again' })).rejects.toMatchObject(LINK_EXPIRED);
    const { user } = await victim.client.company.me();
    await test.client().auth.requestPasswordReset({ email: user.email });
    await expect(undoChange(await waitForMailedToken(user.email, 'auth'))).rejects.toMatchObject(LINK_EXPIRED);
    expect((await victim.client.company.me()).user.email).toBe(user.email);
  });

  it('rejects a common password without using up the link', async () => {
    const victim = await signUpAndSignIn();
    const token = await hijackEmail(victim, buildTestEmail());
    await expect(undoChange(token, '123456789')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { password: 'This password is too common. Please choose another one.' } },
    });
    expect(await isSignedIn(victim.cookie)).toBe(true);
    await undoChange(token);
  });

  it('leaves no usable link in the database once the email is sent', async () => {
    const token = await hijackEmail(await signUpAndSignIn(), buildTestEmail());
    await waitForQueue(test);
    expect(await findTablesContaining(test, token)).toEqual([]);
  });
});

describe('an attacker who has changed the email address', () => {
  it('cannot prevent the undo by changing the password or the address again', async () => {
    const victim = await signUpAndSignIn();
    const token = await hijackEmail(victim, buildTestEmail());
    await victim.client.auth.changePassword({ current_password: victim.password, new_password: 'the thiefs own' });
    await hijackEmail({ ...victim, password: 'the thiefs own' }, buildTestEmail());
    expect(await undoChange(token)).toEqual({ email: victim.email });
    expect(await isSignedIn(victim.cookie)).toBe(false);
  });

  it('cannot prevent the undo by resetting the password', async () => {
    const victim = await signUpAndSignIn();
    const thief = buildTestEmail();
    const token = await hijackEmail(victim, thief);
    await test.client().auth.requestPasswordReset({ email: thief });
    await test.client().auth.resetPassword({ token: await waitForMailedToken(thief, 'auth'), password: 'the thiefs own' });
    expect(await undoChange(token)).toEqual({ email: victim.email });
  });

  it('cannot prevent the undo by undoing a second change', async () => {
    const victim = await signUpAndSignIn();
    const [first, second] = [buildTestEmail(), buildTestEmail()];
    const token = await hijackEmail(victim, first);
    await undoChange(await hijackEmail(victim, second), 'the thiefs own');
    expect(await undoChange(token)).toEqual({ email: victim.email });
    await expect(signIn(test, first, 'the thiefs own')).rejects.toThrow('401');
  });

  it('cannot reverse the undo with a link emailed to them', async () => {
    const victim = await signUpAndSignIn();
    const first = buildTestEmail();
    const token = await hijackEmail(victim, first);
    const attackerToken = await hijackEmail(victim, buildTestEmail());
    await undoChange(token);
    await expect(undoChange(attackerToken, 'the thiefs own')).rejects.toMatchObject(LINK_EXPIRED);
    expect(await signIn(test, victim.email, 'mine again')).not.toBe('');
  });

  it('cannot prevent the undo by using the old address for another account', async () => {
    const [victim, other] = [await signUpAndSignIn(), await signUpAndSignIn()];
    const token = await hijackEmail(victim, buildTestEmail());
    const emailTaken = { code: 'EMAIL_TAKEN' };
    await expect(test.client().auth.signUp({ email: victim.email, password: 'the thiefs own' })).rejects.toMatchObject(emailTaken);
    const change = { email: victim.email, current_password: other.password };
    await expect(other.client.auth.requestEmailChange(change)).rejects.toMatchObject(emailTaken);
    expect(await undoChange(token)).toEqual({ email: victim.email });
  });

  it('cannot prevent the undo by assigning the old address to a colleague', async () => {
    const victim = await signUpAndSignIn();
    await victim.client.company.start();
    const thief = buildTestEmail();
    const token = await hijackEmail(victim, thief);
    await victim.client.staff.invite(buildMember({ email: victim.email }));
    expect(await undoChange(token)).toEqual({ email: victim.email });
    const { user } = await test.client(await signIn(test, victim.email, 'mine again')).company.me();
    const { rows } = await test.owner.query('select email from staff_members where profile_id = $1', [user.id]);
    expect(rows).toEqual([{ email: thief }]);
  });
});

it('lets the owner change the email address back without the undo link', async () => {
  const owner = await signUpAndSignIn();
  await hijackEmail(owner, buildTestEmail());
  await owner.client.auth.requestEmailChange({ email: owner.email, current_password: owner.password });
  expect(await owner.client.auth.confirmEmailChange({ token: await waitForMailedToken(owner.email, 'confirm-email') })).toEqual({
    email: owner.email,
  });
});

describe('an old email address that was never confirmed', () => {
  it('can be used right away by its real owner, who signs up and resets the password', async () => {
    const claimant = await signUpAndSignIn({ confirmed: false });
    await changeEmail(claimant, buildTestEmail());
    await signUp(test, claimant.email, 'of the owner');
    await test.client().auth.requestPasswordReset({ email: claimant.email });
    await test.client().auth.resetPassword({ token: await waitForMailedToken(claimant.email, 'auth'), password: 'mine again' });
    expect(await signIn(test, claimant.email, 'mine again')).not.toBe('');
    expect(await isSignedIn(claimant.cookie)).toBe(true);
  });

  it('is notified of the change without an undo link or the new address', async () => {
    const claimant = await signUpAndSignIn({ confirmed: false });
    const newEmail = buildTestEmail();
    await changeEmail(claimant, newEmail);
    const { subject, text, html } = await mailbox.waitForMail(claimant.email);
    expect(subject).toBe('Your Callout email address was changed');
    for (const body of [text, html]) {
      expect(body).not.toContain(newEmail);
      expect(body).not.toContain('token=');
    }
    expect((await test.owner.query('select from password_links where email = $1', [claimant.email])).rowCount).toBe(0);
  });
});
