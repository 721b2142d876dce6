import { beforeAll, beforeEach, expect, it } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment });
  return () => mailbox.stop();
});

beforeEach(async () => {
  await test.owner.query('delete from rate_limits');
});

const LIMITED = { code: 'TOO_MANY_ATTEMPTS' };

async function signUpAndSignIn(email = buildTestEmail()) {
  const { password } = await signUp(test, email);
  return { email, password, client: test.client(await signIn(test, email, password)) };
}

async function countMails(recipient: string): Promise<number> {
  await waitForQueue(test);
  return mailbox.listMailsTo(recipient).length;
}

const addTag = (email: string, tag: number) => email.replace('@', `+${tag}@`);

it('sends at most six emails a day about password changes to an unconfirmed address', async () => {
  const { email, password, client } = await signUpAndSignIn();
  const change = () => client.auth.changePassword({ current_password: password, new_password: password });
  for (let n = 0; n < 6; n += 1) await change();
  await expect(change()).rejects.toMatchObject(LIMITED);
  await waitForQueue(test);
  expect(mailbox.listMailsTo(email)).toHaveLength(6);
});

const passAnHour = () => test.owner.query(`update rate_limits set window_ends_at = window_ends_at - interval '1 hour'`);

it('sends at most six emails a day to an unconfirmed address, even if they are requested every hour', async () => {
  const { email, password, client } = await signUpAndSignIn();
  for (let hour = 0; hour < 8; hour += 1) {
    for (let n = 0; n < 3; n += 1) await client.auth.requestEmailConfirmation().catch(() => undefined);
    await passAnHour();
  }
  expect(await countMails(email)).toBe(6);
  // The day's first email about a password change still passes.
  for (let hour = 0; hour < 8; hour += 1) {
    await client.auth.changePassword({ current_password: password, new_password: password }).catch(() => undefined);
    await passAnHour();
  }
  expect(await countMails(email)).toBe(7);
});

it('allows ten password changes an hour to someone with a confirmed address', async () => {
  const { email, password, client } = await signUpAndSignIn();
  await test.owner.query('update users set email_verified = true where email = $1', [email]);
  const change = () => client.auth.changePassword({ current_password: password, new_password: password });
  for (let n = 0; n < 10; n += 1) await change();
  await expect(change()).rejects.toMatchObject(LIMITED);
});

it('counts confirmations of all tagged addresses of a mailbox together', async () => {
  const box = buildTestEmail();
  for (let n = 0; n < 6; n += 1) await (await signUpAndSignIn(addTag(box, n))).client.auth.requestEmailConfirmation();
  await expect((await signUpAndSignIn(addTag(box, 6))).client.auth.requestEmailConfirmation()).rejects.toMatchObject(LIMITED);
});

it('counts addresses that differ only in dots together if Gmail delivers them to one mailbox', async () => {
  const [name = ''] = buildTestEmail().split('@');
  const addDot = (at: number) => `${name.slice(0, at)}.${name.slice(at)}@gmail.com`;
  for (let n = 1; n <= 6; n += 1) await (await signUpAndSignIn(addDot(n))).client.auth.requestEmailConfirmation();
  await expect((await signUpAndSignIn(addDot(7))).client.auth.requestEmailConfirmation()).rejects.toMatchObject(LIMITED);
});

it('sends at most eight emails a day to an address that is signed up and moved away again and again', async () => {
  const victim = buildTestEmail();
  for (let n = 0; n < 6; n += 1) {
    const { password, client } = await signUpAndSignIn(victim);
    await client.auth.requestEmailConfirmation().catch(() => undefined);
    await client.auth.changePassword({ current_password: password, new_password: password }).catch(() => undefined);
    const own = buildTestEmail();
    await client.auth.requestEmailChange({ email: own, current_password: password });
    const token = (await mailbox.waitForMail(own)).text?.match(/token=([\w-]+)/)?.[1] ?? '';
    await client.auth.confirmEmailChange({ token });
  }
  expect(await countMails(victim)).toBeLessThanOrEqual(8);
});

it('lets someone with a confirmed address move to a mailbox that strangers have used up', async () => {
  const box = buildTestEmail();
  for (let n = 0; n < 6; n += 1) await (await signUpAndSignIn(addTag(box, n))).client.auth.requestEmailConfirmation();
  const { email, password, client } = await signUpAndSignIn();
  await test.owner.query('update users set email_verified = true where email = $1', [email]);
  expect(await client.auth.requestEmailChange({ email: box, current_password: password })).toEqual({ mail: 'queued' });
});

it('counts confirmations, email changes and password changes together', async () => {
  const { email, password, client } = await signUpAndSignIn();
  for (let n = 0; n < 5; n += 1) await client.auth.requestEmailConfirmation();
  const other = await signUpAndSignIn();
  await other.client.auth.requestEmailChange({ email: addTag(email, 1), current_password: other.password });
  await expect(other.client.auth.requestEmailChange({ email: addTag(email, 2), current_password: other.password })).rejects.toMatchObject(
    LIMITED,
  );
  // The first password change to the mailbox's own address passes, and the next is refused.
  await client.auth.changePassword({ current_password: password, new_password: password });
  await expect(client.auth.changePassword({ current_password: password, new_password: password })).rejects.toMatchObject(LIMITED);
});

it('sends the owner of a mailbox their first confirmation even if strangers have used up its limit', async () => {
  const box = buildTestEmail();
  for (let n = 0; n < 6; n += 1) await (await signUpAndSignIn(addTag(box, n))).client.auth.requestEmailConfirmation();
  const { client } = await signUpAndSignIn(box);
  expect(await client.auth.requestEmailConfirmation()).toEqual({ mail: 'queued' });
  await expect(client.auth.requestEmailConfirmation()).rejects.toMatchObject(LIMITED);
});

it('lets someone change a mistyped address after five confirmations were sent to it', async () => {
  const { password, client } = await signUpAndSignIn();
  for (let n = 0; n < 5; n += 1) await client.auth.requestEmailConfirmation();
  expect(await client.auth.requestEmailChange({ email: buildTestEmail(), current_password: password })).toEqual({ mail: 'queued' });
});

it('sends at most thirty emails an hour from one network to unconfirmed addresses', async () => {
  for (let n = 0; n < 6; n += 1) {
    const { client } = await signUpAndSignIn();
    for (let sent = 0; sent < 5; sent += 1) await client.auth.requestEmailConfirmation();
  }
  await expect((await signUpAndSignIn()).client.auth.requestEmailConfirmation()).rejects.toMatchObject(LIMITED);
});
