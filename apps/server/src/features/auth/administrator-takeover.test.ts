import type { ContractClient } from '@callout/contract/contract';
import { beforeAll, expect, it, vi } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { openStream } from '../../../test/event-stream.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

/** Attempts to become administrator of a server whose ADMIN_EMAIL belongs to someone else, the owner. */

const OWNERS_PASSWORD = 'the owners own words';

let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  return () => mailbox.stop();
});

/** A separate server for each attack, since there is only one administrator. */
async function startServer(): Promise<{ test: TestApp; adminEmail: string }> {
  const adminEmail = uniqueEmail();
  return { test: await startTestApp({ ...mailbox.environment, ADMIN_EMAIL: adminEmail }), adminEmail };
}

/** The link in the newest mail of this kind: 'confirm-email', 'auth', 'invitation' or 'undo-email-change'. */
async function mailedLink(email: string, page: string): Promise<URL> {
  const links = () =>
    mailbox.mailsTo(email).flatMap(({ text }) => [...text.matchAll(/https?:\/\/\S+token=\S+/g)].map(([link]) => new URL(link)));
  return vi.waitUntil(() => links().findLast(({ pathname }) => pathname === `/${page}`), { timeout: 10_000 });
}

const tokenOf = (link: URL) => link.searchParams.get('token') ?? '';

/** The owner opens the administrator's link and chooses a password. */
async function claim(test: TestApp, adminEmail: string): Promise<void> {
  const link = await mailedLink(adminEmail, 'auth');
  expect(link.searchParams.get('next')).toBe('/admin');
  await test.client().auth.resetPassword({ token: tokenOf(link), password: OWNERS_PASSWORD });
}

async function signedUp(test: TestApp, email = uniqueEmail()) {
  const { password } = await signUp(test, email);
  const cookie = await signIn(test, email, password);
  return { email, password, cookie, client: test.client(cookie) };
}

/** What the account is told about itself, and what the administration answers. */
async function rightsOf(client: ContractClient): Promise<{ is_system_admin: boolean; companies: unknown }> {
  const { is_system_admin } = await client.company.me();
  const companies: unknown = await client.admin.companies({}).then(
    () => 'listed',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
  return { is_system_admin, companies };
}

const NOBODY = { is_system_admin: false, companies: 'FORBIDDEN' };
const ADMINISTRATOR = { is_system_admin: true, companies: 'listed' };

const owner = async (test: TestApp, adminEmail: string) => test.client(await signIn(test, adminEmail, OWNERS_PASSWORD));

it('someone who signed up with the administrator’s email loses all access once the owner opens the link', async () => {
  const { test, adminEmail } = await startServer();
  const squatter = await signedUp(test, adminEmail.toUpperCase());
  const page = await openStream(test, squatter.cookie);
  const elsewhere = uniqueEmail();
  await squatter.client.auth.requestEmailChange({ email: elsewhere, current_password: squatter.password });
  const ownLink = tokenOf(await mailedLink(elsewhere, 'confirm-email'));
  expect(await rightsOf(squatter.client)).toEqual(NOBODY);

  await claim(test, adminEmail);
  await expect(squatter.client.company.me()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(squatter.client.admin.companies({})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(squatter.client.auth.confirmEmailChange({ token: ownLink })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await page.next()).toMatchObject({ event: 'signed-out' });
  await expect(signIn(test, adminEmail, squatter.password)).rejects.toThrow('401');
  expect(await rightsOf(await owner(test, adminEmail))).toEqual(ADMINISTRATOR);
});

it('the mail to the owner explains the link, which only sets a password', async () => {
  const { test, adminEmail } = await startServer();
  await signUp(test, adminEmail);
  await mailedLink(adminEmail, 'auth');
  const [mail, ...others] = mailbox.mailsTo(adminEmail);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Set your administrator password for Callout');
  expect(mail?.text).toContain('administers');
  expect(mail?.text).not.toContain('confirm-email');
});

it('the owner cannot confirm someone else’s email change to the administrator’s email, signed in or not', async () => {
  const { test, adminEmail } = await startServer();
  const attacker = await signedUp(test);
  await attacker.client.auth.requestEmailChange({ email: adminEmail, current_password: attacker.password });
  const token = tokenOf(await mailedLink(adminEmail, 'confirm-email'));
  const signedIn = await signedUp(test);
  await expect(test.client().auth.confirmEmailChange({ token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(signedIn.client.auth.confirmEmailChange({ token })).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
  expect((await attacker.client.company.me()).user.email).toBe(attacker.email);
  expect(await rightsOf(attacker.client)).toEqual(NOBODY);
});

it('an account verified under another email is not administrator after moving to that email until the owner sets a password', async () => {
  const { test, adminEmail } = await startServer();
  const attacker = await signedUp(test);
  await test.client().auth.requestPasswordReset({ email: attacker.email });
  await test.client().auth.resetPassword({ token: tokenOf(await mailedLink(attacker.email, 'auth')), password: 'verified under mine' });
  const client = test.client(await signIn(test, attacker.email, 'verified under mine'));
  await client.auth.requestEmailChange({ email: adminEmail, current_password: 'verified under mine' });
  await client.auth.confirmEmailChange({ token: tokenOf(await mailedLink(adminEmail, 'confirm-email')) });
  expect((await client.company.me()).user.email).toBe(adminEmail);
  expect(await rightsOf(client)).toEqual(NOBODY);

  await claim(test, adminEmail);
  await expect(client.company.me()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await rightsOf(await owner(test, adminEmail))).toEqual(ADMINISTRATOR);
});

it('an account that moves away from the administrator’s email and back is not administrator until the owner sets a password again', async () => {
  const { test, adminEmail } = await startServer();
  await signUp(test, adminEmail);
  await claim(test, adminEmail);
  const client = await owner(test, adminEmail);
  const elsewhere = uniqueEmail();
  for (const email of [elsewhere, adminEmail]) {
    await client.auth.requestEmailChange({ email, current_password: OWNERS_PASSWORD });
    await client.auth.confirmEmailChange({ token: tokenOf(await mailedLink(email, 'confirm-email')) });
  }
  expect((await client.company.me()).user.email).toBe(adminEmail);
  expect(await rightsOf(client)).toEqual(NOBODY);
});

it('a password link mailed to the old email is dead once the account has the administrator’s email', async () => {
  const { test, adminEmail } = await startServer();
  const attacker = await signedUp(test);
  await test.client().auth.requestPasswordReset({ email: attacker.email });
  const before = tokenOf(await mailedLink(attacker.email, 'auth'));
  await attacker.client.auth.requestEmailChange({ email: adminEmail, current_password: attacker.password });
  await attacker.client.auth.confirmEmailChange({ token: tokenOf(await mailedLink(adminEmail, 'confirm-email')) });
  await expect(test.client().auth.resetPassword({ token: before, password: 'a way back in' })).rejects.toMatchObject({
    code: 'LINK_EXPIRED',
  });
  expect(await rightsOf(attacker.client)).toEqual(NOBODY);
});

it('an account moved back by its old email is not administrator', async () => {
  const { test, adminEmail } = await startServer();
  const attacker = await signedUp(test);
  await test.owner.query('update users set email_verified = true where email = $1', [attacker.email]);
  await attacker.client.auth.requestEmailChange({ email: adminEmail, current_password: attacker.password });
  await attacker.client.auth.confirmEmailChange({ token: tokenOf(await mailedLink(adminEmail, 'confirm-email')) });
  await claim(test, adminEmail);
  const undo = tokenOf(await mailedLink(attacker.email, 'undo-email-change'));
  await test.client().auth.undoEmailChange({ token: undo, password: 'a way back in' });
  expect(await rightsOf(test.client(await signIn(test, attacker.email, 'a way back in')))).toEqual(NOBODY);
});

it('an invitation to the administrator’s email makes nobody administrator', async () => {
  const { test, adminEmail } = await startServer();
  const { people } = await createFirm(test);
  await people.admin.client.staff.invite(newMember({ email: adminEmail, role: 'admin' }));
  const token = tokenOf(await mailedLink(adminEmail, 'invitation'));
  await test.client().staff.acceptInvitation({ token, password: 'chosen by the inviter' });
  expect(await rightsOf(test.client(await signIn(test, adminEmail, 'chosen by the inviter')))).toEqual(NOBODY);

  await claim(test, adminEmail);
  expect(await rightsOf(await owner(test, adminEmail))).toEqual(ADMINISTRATOR);
});

it('an invitation that replaces an account’s password takes away its administration', async () => {
  const { test, adminEmail } = await startServer();
  await signUp(test, adminEmail);
  await claim(test, adminEmail);
  const { people } = await createFirm(test);
  await people.admin.client.staff.invite(newMember({ email: adminEmail }));
  const token = tokenOf(await mailedLink(adminEmail, 'invitation'));
  await test.client().staff.acceptInvitation({ token, password: 'chosen by the inviter' });
  expect(await rightsOf(test.client(await signIn(test, adminEmail, 'chosen by the inviter')))).toEqual(NOBODY);
});

it('a copied link to the administrator’s email makes no login', async () => {
  const { test, adminEmail } = await startServer();
  const { people } = await createFirm(test);
  const { member } = await people.admin.client.staff.invite(newMember({ email: adminEmail }));
  const { url } = await people.admin.client.staff.copyInvitationLink({ id: member.id });
  const accepted = test.client().staff.acceptInvitation({ token: tokenOf(new URL(url)), password: 'chosen by the inviter' });
  await expect(accepted).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
  await expect(signIn(test, adminEmail, 'chosen by the inviter')).rejects.toThrow('401');
});

it('a company that deletes the administrator as its member does not delete their account', async () => {
  const { test, adminEmail } = await startServer();
  const { people, companyId } = await createFirm(test);
  const { member } = await people.admin.client.staff.invite(newMember({ email: adminEmail }));
  const token = tokenOf(await mailedLink(adminEmail, 'invitation'));
  await test.client().staff.acceptInvitation({ token, password: 'chosen by the owner' });
  await claim(test, adminEmail);
  const client = await owner(test, adminEmail);
  expect((await client.company.me()).profile?.company_id).toBe(companyId);
  await people.admin.client.staff.remove({ id: member.id });
  expect((await client.company.me()).profile).toBeNull();
  expect(await rightsOf(client)).toEqual(ADMINISTRATOR);
  expect(await rightsOf(await owner(test, adminEmail))).toEqual(ADMINISTRATOR);
});

it('better-auth’s own routes do not exist', async () => {
  const { test } = await startServer();
  const { cookie } = await signedUp(test);
  for (const path of ['verify-email', 'change-email', 'update-user', 'send-verification-email', 'sign-up/email', 'sign-in/email']) {
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode } = await test.request(method, `/api/auth/${path}`, { cookie, ...(method === 'POST' && { body: {} }) });
      expect({ path, method, statusCode }).toEqual({ path, method, statusCode: 404 });
    }
  }
});
