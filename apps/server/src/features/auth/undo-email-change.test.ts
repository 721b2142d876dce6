import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { openStream } from '../../../test/event-stream.ts';
import { tablesWith } from '../../../test/every-row.ts';
import { newMember } from '../../../test/factories/inputs.ts';
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

beforeEach(async () => {
  await test.owner.query('delete from rate_limits');
});

const dead = { code: 'LINK_EXPIRED', status: 410 };

async function person({ confirmed } = { confirmed: true }) {
  const { email, password } = await signUp(test);
  await test.owner.query('update users set email_verified = $2 where email = $1', [email, confirmed]);
  const cookie = await signIn(test, email, password);
  return { email, password, cookie, client: test.client(cookie) };
}
type Somebody = Awaited<ReturnType<typeof person>>;

/** The token in the newest mail to this email with a link to this page. */
async function mailedToken(email: string, page: string): Promise<string> {
  const pattern = new RegExp(`https://work\\.example\\.com/${page}\\S*token=([\\w-]+)`);
  const tokens = () => mailbox.mailsTo(email).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);
  return vi.waitUntil(() => tokens().at(-1), { timeout: 10_000 });
}

type Mover = Pick<Somebody, 'client' | 'password'>;

async function changeEmail({ client, password }: Mover, to: string): Promise<void> {
  await client.auth.requestEmailChange({ email: to, current_password: password });
  await client.auth.confirmEmailChange({ token: await mailedToken(to, 'confirm-email') });
}

/** Moves the account to another email, as an attacker with the password would. Returns the link mailed to the old email. */
async function move(mover: Mover, to: string): Promise<string> {
  const before = (await mover.client.company.me()).user.email;
  await changeEmail(mover, to);
  return mailedToken(before, 'undo-email-change');
}

const undo = (token: string, password = 'mine again') => test.client().auth.undoEmailChange({ token, password });
const isIn = async (cookie: string) => (await test.request('GET', '/api/me', { cookie })).statusCode === 200;

describe('undoing an email change', () => {
  it('restores the old email with a new password and ends every session and its pages', async () => {
    const victim = await person();
    await victim.client.company.start();
    const thief = uniqueEmail();
    const token = await move(victim, thief);
    const page = await openStream(test, victim.cookie);
    const elsewhere = await signIn(test, thief, victim.password);
    expect(await undo(token)).toEqual({ email: victim.email });
    expect([await isIn(victim.cookie), await isIn(elsewhere)]).toEqual([false, false]);
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

  it('ends every other link that sets a password or changes the email', async () => {
    const victim = await person();
    const thief = uniqueEmail();
    const token = await move(victim, thief);
    await test.client().auth.requestPasswordReset({ email: thief });
    const reset = await mailedToken(thief, 'auth');
    const further = uniqueEmail();
    await victim.client.auth.requestEmailChange({ email: further, current_password: victim.password });
    const confirm = await mailedToken(further, 'confirm-email');
    await undo(token);
    await expect(test.client().auth.resetPassword({ token: reset, password: 'a way back in' })).rejects.toMatchObject(dead);
    const own = test.client(await signIn(test, victim.email, 'mine again'));
    await expect(own.auth.confirmEmailChange({ token: confirm })).rejects.toMatchObject(dead);
    expect((await own.company.me()).user).toMatchObject({ email: victim.email, pending_email: null });
  });

  it('is offered to the old email, and both are notified afterwards', async () => {
    const victim = await person();
    const thief = uniqueEmail();
    const token = await move(victim, thief);
    const offer = mailbox.mailsTo(victim.email).at(-1);
    expect(offer?.subject).toBe('Your email address for Callout was changed');
    expect(offer?.text).toContain(thief);
    await undo(token);
    await waitForQueue(test);
    expect(mailbox.mailsTo(victim.email).at(-1)?.subject).toBe('Your password for Callout was changed');
    expect(mailbox.mailsTo(thief).at(-1)?.subject).toBe('Your email address for Callout was changed back');
  });

  it('works once, for 7 days', async () => {
    const [first, second] = [await person(), await person()];
    const token = await move(first, uniqueEmail());
    await undo(token);
    await expect(undo(token, 'again and again')).rejects.toMatchObject(dead);
    expect(await signIn(test, first.email, 'mine again')).not.toBe('');

    const late = await move(second, uniqueEmail());
    const { rows } = await test.owner.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - now()) / 3600)::int as hours from password_links where email = $1`,
      [second.email],
    );
    expect(rows).toEqual([{ hours: 168 }]);
    await test.owner.query(`update password_links set expires_at = now() - interval '1 second' where email = $1`, [second.email]);
    await expect(undo(late)).rejects.toMatchObject(dead);
    expect(await isIn(second.cookie)).toBe(true);
  });

  it('has a link that cannot reset a password, nor the other way round', async () => {
    const victim = await person();
    const token = await move(victim, uniqueEmail());
    await expect(test.client().auth.resetPassword({ token, password: 'mine again' })).rejects.toMatchObject(dead);
    const { user } = await victim.client.company.me();
    await test.client().auth.requestPasswordReset({ email: user.email });
    await expect(undo(await mailedToken(user.email, 'auth'))).rejects.toMatchObject(dead);
    expect((await victim.client.company.me()).user.email).toBe(user.email);
  });

  it('refuses a common password and still works afterwards', async () => {
    const victim = await person();
    const token = await move(victim, uniqueEmail());
    await expect(undo(token, '123456789')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { password: 'This password is too common. Please choose another one.' } },
    });
    expect(await isIn(victim.cookie)).toBe(true);
    await undo(token);
  });

  it('leaves no usable link in the database after it was sent', async () => {
    const token = await move(await person(), uniqueEmail());
    await waitForQueue(test);
    expect(await tablesWith(test, token)).toEqual([]);
  });
});

describe('an attacker who has changed the email', () => {
  it('cannot prevent the undo by changing the password or the email again', async () => {
    const victim = await person();
    const token = await move(victim, uniqueEmail());
    await victim.client.auth.changePassword({ current_password: victim.password, new_password: 'the thiefs own' });
    await move({ ...victim, password: 'the thiefs own' }, uniqueEmail());
    expect(await undo(token)).toEqual({ email: victim.email });
    expect(await isIn(victim.cookie)).toBe(false);
  });

  it('cannot prevent it by setting a password through their own link', async () => {
    const victim = await person();
    const thief = uniqueEmail();
    const token = await move(victim, thief);
    await test.client().auth.requestPasswordReset({ email: thief });
    await test.client().auth.resetPassword({ token: await mailedToken(thief, 'auth'), password: 'the thiefs own' });
    expect(await undo(token)).toEqual({ email: victim.email });
  });

  it('cannot prevent it by undoing a change of their own', async () => {
    const victim = await person();
    const [first, second] = [uniqueEmail(), uniqueEmail()];
    const token = await move(victim, first);
    await undo(await move(victim, second), 'the thiefs own');
    expect(await undo(token)).toEqual({ email: victim.email });
    await expect(signIn(test, first, 'the thiefs own')).rejects.toThrow('401');
  });

  it('cannot reverse it with a link mailed to their own email', async () => {
    const victim = await person();
    const first = uniqueEmail();
    const token = await move(victim, first);
    const theirs = await move(victim, uniqueEmail());
    await undo(token);
    await expect(undo(theirs, 'the thiefs own')).rejects.toMatchObject(dead);
    expect(await signIn(test, victim.email, 'mine again')).not.toBe('');
  });

  it('cannot prevent it by taking the old email for another account', async () => {
    const [victim, other] = [await person(), await person()];
    const token = await move(victim, uniqueEmail());
    const taken = { code: 'EMAIL_TAKEN' };
    await expect(test.client().auth.signUp({ email: victim.email, password: 'the thiefs own' })).rejects.toMatchObject(taken);
    const change = { email: victim.email, current_password: other.password };
    await expect(other.client.auth.requestEmailChange(change)).rejects.toMatchObject(taken);
    expect(await undo(token)).toEqual({ email: victim.email });
  });

  it('cannot prevent it by giving the old email to a colleague', async () => {
    const victim = await person();
    await victim.client.company.start();
    const thief = uniqueEmail();
    const token = await move(victim, thief);
    await victim.client.staff.invite(newMember({ email: victim.email }));
    expect(await undo(token)).toEqual({ email: victim.email });
    const { user } = await test.client(await signIn(test, victim.email, 'mine again')).company.me();
    const { rows } = await test.owner.query('select email from staff_members where profile_id = $1', [user.id]);
    expect(rows).toEqual([{ email: thief }]);
  });
});

it('the owner can change the email back without the link', async () => {
  const mover = await person();
  await move(mover, uniqueEmail());
  await mover.client.auth.requestEmailChange({ email: mover.email, current_password: mover.password });
  expect(await mover.client.auth.confirmEmailChange({ token: await mailedToken(mover.email, 'confirm-email') })).toEqual({
    email: mover.email,
  });
});

describe('an old email that was never confirmed', () => {
  it('is free at once for its real owner, who signs up and resets the password', async () => {
    const claimant = await person({ confirmed: false });
    await changeEmail(claimant, uniqueEmail());
    await signUp(test, claimant.email, 'of the owner');
    await test.client().auth.requestPasswordReset({ email: claimant.email });
    await test.client().auth.resetPassword({ token: await mailedToken(claimant.email, 'auth'), password: 'mine again' });
    expect(await signIn(test, claimant.email, 'mine again')).not.toBe('');
    expect(await isIn(claimant.cookie)).toBe(true);
  });

  it('is notified of the change, without an undo link and without the new email', async () => {
    const claimant = await person({ confirmed: false });
    const next = uniqueEmail();
    await changeEmail(claimant, next);
    const { subject, text, html } = await mailbox.mailTo(claimant.email);
    expect(subject).toBe('Your email address for Callout was changed');
    for (const words of [text, html]) {
      expect(words).not.toContain(next);
      expect(words).not.toContain('token=');
    }
    expect((await test.owner.query('select from password_links where email = $1', [claimant.email])).rowCount).toBe(0);
  });
});
