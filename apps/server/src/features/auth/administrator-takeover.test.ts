import type { ContractClient } from '@callout/contract/contract';
import { beforeAll, expect, it, vi } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

/** Each test tries to become system administrator of a server although its ADMIN_EMAIL belongs to someone else ("the owner"). */

const OWNER_PASSWORD = 'the owners own words';

let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
  return () => mailbox.stop();
});

/** Starts a new server for each attack, because a server has only one system administrator. */
async function startServer(): Promise<{ test: TestApp; adminEmail: string }> {
  const adminEmail = buildTestEmail();
  return { test: await startTestApp({ ...mailbox.environment, ADMIN_EMAIL: adminEmail }), adminEmail };
}

/** Waits for an emailed link to `page` ('confirm-email', 'auth', 'invitation' or 'undo-email-change') and returns the newest one. */
async function waitForLink(email: string, page: string): Promise<URL> {
  const links = () =>
    mailbox.listMailsTo(email).flatMap(({ text }) => [...text.matchAll(/https?:\/\/\S+token=\S+/g)].map(([link]) => new URL(link)));
  return vi.waitUntil(() => links().findLast(({ pathname }) => pathname === `/${page}`), { timeout: 10_000 });
}

const getToken = (link: URL) => link.searchParams.get('token') ?? '';

/** Sets a password through the link emailed to ADMIN_EMAIL, as the owner would. */
async function claimAdminAccount(test: TestApp, adminEmail: string): Promise<void> {
  const link = await waitForLink(adminEmail, 'auth');
  expect(link.searchParams.get('next')).toBe('/admin');
  await test.client().auth.resetPassword({ token: getToken(link), password: OWNER_PASSWORD });
}

async function signUpAndSignIn(test: TestApp, email = buildTestEmail()) {
  const { password } = await signUp(test, email);
  const cookie = await signIn(test, email, password);
  return { email, password, cookie, client: test.client(cookie) };
}

/** Returns whether the account is reported as system administrator, and whether it can list all companies. */
async function readAdminAccess(client: ContractClient): Promise<{ is_system_admin: boolean; companies: unknown }> {
  const { is_system_admin } = await client.company.me();
  const companies: unknown = await client.admin.companies({}).then(
    () => 'listed',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
  return { is_system_admin, companies };
}

const NO_ACCESS = { is_system_admin: false, companies: 'FORBIDDEN' };
const FULL_ACCESS = { is_system_admin: true, companies: 'listed' };

const signInAsOwner = async (test: TestApp, adminEmail: string) => test.client(await signIn(test, adminEmail, OWNER_PASSWORD));

it('locks out someone who signed up with the administrator’s address once the owner sets a password', async () => {
  const { test, adminEmail } = await startServer();
  const squatter = await signUpAndSignIn(test, adminEmail.toUpperCase());
  const page = await openEventStream(test, squatter.cookie);
  const otherEmail = buildTestEmail();
  await squatter.client.auth.requestEmailChange({ email: otherEmail, current_password: squatter.password });
  const squatterToken = getToken(await waitForLink(otherEmail, 'confirm-email'));
  expect(await readAdminAccess(squatter.client)).toEqual(NO_ACCESS);

  await claimAdminAccount(test, adminEmail);
  await expect(squatter.client.company.me()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(squatter.client.admin.companies({})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(squatter.client.auth.confirmEmailChange({ token: squatterToken })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await page.next()).toMatchObject({ event: 'signed-out' });
  await expect(signIn(test, adminEmail, squatter.password)).rejects.toThrow('401');
  expect(await readAdminAccess(await signInAsOwner(test, adminEmail))).toEqual(FULL_ACCESS);
});

it('emails the owner one link, which can only set a password', async () => {
  const { test, adminEmail } = await startServer();
  await signUp(test, adminEmail);
  await waitForLink(adminEmail, 'auth');
  const [mail, ...others] = mailbox.listMailsTo(adminEmail);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Set your Callout administrator password');
  expect(mail?.text).toContain('administrator account');
  expect(mail?.text).not.toContain('confirm-email');
});

it('rejects another account’s change to the administrator’s email address, signed in or not', async () => {
  const { test, adminEmail } = await startServer();
  const attacker = await signUpAndSignIn(test);
  await attacker.client.auth.requestEmailChange({ email: adminEmail, current_password: attacker.password });
  const token = getToken(await waitForLink(adminEmail, 'confirm-email'));
  const signedIn = await signUpAndSignIn(test);
  await expect(test.client().auth.confirmEmailChange({ token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(signedIn.client.auth.confirmEmailChange({ token })).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
  expect((await attacker.client.company.me()).user.email).toBe(attacker.email);
  expect(await readAdminAccess(attacker.client)).toEqual(NO_ACCESS);
});

it('denies access to a verified account that switches to the administrator’s address until the owner sets a password', async () => {
  const { test, adminEmail } = await startServer();
  const attacker = await signUpAndSignIn(test);
  await test.client().auth.requestPasswordReset({ email: attacker.email });
  await test.client().auth.resetPassword({ token: getToken(await waitForLink(attacker.email, 'auth')), password: 'verified under mine' });
  const client = test.client(await signIn(test, attacker.email, 'verified under mine'));
  await client.auth.requestEmailChange({ email: adminEmail, current_password: 'verified under mine' });
  await client.auth.confirmEmailChange({ token: getToken(await waitForLink(adminEmail, 'confirm-email')) });
  expect((await client.company.me()).user.email).toBe(adminEmail);
  expect(await readAdminAccess(client)).toEqual(NO_ACCESS);

  await claimAdminAccount(test, adminEmail);
  await expect(client.company.me()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await readAdminAccess(await signInAsOwner(test, adminEmail))).toEqual(FULL_ACCESS);
});

it('revokes administrator access from an account that switches to another email address and back', async () => {
  const { test, adminEmail } = await startServer();
  await signUp(test, adminEmail);
  await claimAdminAccount(test, adminEmail);
  const client = await signInAsOwner(test, adminEmail);
  const otherEmail = buildTestEmail();
  for (const email of [otherEmail, adminEmail]) {
    await client.auth.requestEmailChange({ email, current_password: OWNER_PASSWORD });
    await client.auth.confirmEmailChange({ token: getToken(await waitForLink(email, 'confirm-email')) });
  }
  expect((await client.company.me()).user.email).toBe(adminEmail);
  expect(await readAdminAccess(client)).toEqual(NO_ACCESS);
});

it('revokes a reset link sent to the old address once the account switches to the administrator’s address', async () => {
  const { test, adminEmail } = await startServer();
  const attacker = await signUpAndSignIn(test);
  await test.client().auth.requestPasswordReset({ email: attacker.email });
  const oldToken = getToken(await waitForLink(attacker.email, 'auth'));
  await attacker.client.auth.requestEmailChange({ email: adminEmail, current_password: attacker.password });
  await attacker.client.auth.confirmEmailChange({ token: getToken(await waitForLink(adminEmail, 'confirm-email')) });
  await expect(test.client().auth.resetPassword({ token: oldToken, password: 'a way back in' })).rejects.toMatchObject({
    code: 'LINK_EXPIRED',
  });
  expect(await readAdminAccess(attacker.client)).toEqual(NO_ACCESS);
});

it('revokes administrator access from an account whose email change is undone', async () => {
  const { test, adminEmail } = await startServer();
  const attacker = await signUpAndSignIn(test);
  await test.owner.query('update users set email_verified = true where email = $1', [attacker.email]);
  await attacker.client.auth.requestEmailChange({ email: adminEmail, current_password: attacker.password });
  await attacker.client.auth.confirmEmailChange({ token: getToken(await waitForLink(adminEmail, 'confirm-email')) });
  await claimAdminAccount(test, adminEmail);
  const undoToken = getToken(await waitForLink(attacker.email, 'undo-email-change'));
  await test.client().auth.undoEmailChange({ token: undoToken, password: 'a way back in' });
  expect(await readAdminAccess(test.client(await signIn(test, attacker.email, 'a way back in')))).toEqual(NO_ACCESS);
});

it('does not grant administrator access through an invitation to the administrator’s email address', async () => {
  const { test, adminEmail } = await startServer();
  const { people } = await createFirm(test);
  await people.admin.client.staff.invite(buildMember({ email: adminEmail, role: 'admin' }));
  const token = getToken(await waitForLink(adminEmail, 'invitation'));
  await test.client().staff.acceptInvitation({ token, password: 'chosen by the inviter' });
  expect(await readAdminAccess(test.client(await signIn(test, adminEmail, 'chosen by the inviter')))).toEqual(NO_ACCESS);

  await claimAdminAccount(test, adminEmail);
  expect(await readAdminAccess(await signInAsOwner(test, adminEmail))).toEqual(FULL_ACCESS);
});

it('revokes administrator access when an invitation replaces the account’s password', async () => {
  const { test, adminEmail } = await startServer();
  await signUp(test, adminEmail);
  await claimAdminAccount(test, adminEmail);
  const { people } = await createFirm(test);
  await people.admin.client.staff.invite(buildMember({ email: adminEmail }));
  const token = getToken(await waitForLink(adminEmail, 'invitation'));
  await test.client().staff.acceptInvitation({ token, password: 'chosen by the inviter' });
  expect(await readAdminAccess(test.client(await signIn(test, adminEmail, 'chosen by the inviter')))).toEqual(NO_ACCESS);
});

it('does not create a login from a copied invitation link for the administrator’s email address', async () => {
  const { test, adminEmail } = await startServer();
  const { people } = await createFirm(test);
  const { member } = await people.admin.client.staff.invite(buildMember({ email: adminEmail }));
  const { url } = await people.admin.client.staff.copyInvitationLink({ id: member.id });
  const acceptance = test.client().staff.acceptInvitation({ token: getToken(new URL(url)), password: 'chosen by the inviter' });
  await expect(acceptance).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
  await expect(signIn(test, adminEmail, 'chosen by the inviter')).rejects.toThrow('401');
});

it('keeps the administrator’s account when their company deletes them as a member', async () => {
  const { test, adminEmail } = await startServer();
  const { people, companyId } = await createFirm(test);
  const { member } = await people.admin.client.staff.invite(buildMember({ email: adminEmail }));
  const token = getToken(await waitForLink(adminEmail, 'invitation'));
  await test.client().staff.acceptInvitation({ token, password: 'chosen by the owner' });
  await claimAdminAccount(test, adminEmail);
  const client = await signInAsOwner(test, adminEmail);
  expect((await client.company.me()).profile?.company_id).toBe(companyId);
  await people.admin.client.staff.remove({ id: member.id });
  expect((await client.company.me()).profile).toBeNull();
  expect(await readAdminAccess(client)).toEqual(FULL_ACCESS);
  expect(await readAdminAccess(await signInAsOwner(test, adminEmail))).toEqual(FULL_ACCESS);
});

it('does not expose better-auth’s own routes', async () => {
  const { test } = await startServer();
  const { cookie } = await signUpAndSignIn(test);
  for (const path of ['verify-email', 'change-email', 'update-user', 'send-verification-email', 'sign-up/email', 'sign-in/email']) {
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode } = await test.request(method, `/api/auth/${path}`, { cookie, ...(method === 'POST' && { body: {} }) });
      expect({ path, method, statusCode }).toEqual({ path, method, statusCode: 404 });
    }
  }
});
