import type pg from 'pg';
import {
  type Account,
  consumeEmailChange,
  findPasswordHash,
  insertEmailChange,
  isEmailTaken,
  isPasswordUnchanged,
  lockAccount,
  replacePassword,
  revokeCalendarFeed,
  revokeUnusedLinks,
  setLoginEmail,
  setStaffEmail,
} from '../../platform/auth/account-changes.sql.ts';
import { createLinkToken, hashLinkToken, insertPasswordLink } from '../../platform/auth/password-links.sql.ts';
import { endUserSessions } from '../../platform/auth/session.sql.ts';
import { isSystemAdminEmail } from '../../platform/auth/system-admin.ts';
import type { Person } from '../../platform/db/actor.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { runInTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishNotice } from '../../platform/live/live.sql.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { buildEmailChangedMail, buildEmailConfirmationMail, buildUnconfirmedEmailChangedMail } from './email-change.mail.ts';
import { buildPasswordChangedMail } from './password.mail.ts';
import { passwordResetMailTask } from './reset-password.ts';

const CONFIRMATION_LINK_HOURS = 24;
const UNDO_LINK_HOURS = 7 * 24;

type AccountServices = Pick<Platform, 'pools' | 'passwordHasher' | 'appUrl' | 'config'>;

/** Returns the stored hash if the password matches, otherwise null. Hashing is slow on purpose, so never call this in a transaction. */
export async function verifyPassword(
  { pools, passwordHasher }: Pick<AccountServices, 'pools' | 'passwordHasher'>,
  { userId }: Person,
  password: string,
  ip: string,
): Promise<string | null> {
  const stored = await findPasswordHash(pools.system, userId);
  return stored !== null && (await passwordHasher.verify(stored, password, ip)) ? stored : null;
}

/** Changes the password, ends all other sessions and revokes the calendar link. Returns false if the password has changed since it was verified. */
export async function changePassword(
  { pools, passwordHasher, appUrl }: AccountServices,
  actor: Person,
  verifiedHash: string,
  { password, ip }: { readonly password: string; readonly ip: string },
): Promise<boolean> {
  const newHash = await passwordHasher.hash(password, ip);
  return runInTransaction(pools.system, async (client) => {
    const account = await lockAccount(client, actor.userId);
    if (!account || !(await replacePassword(client, actor.userId, verifiedHash, newHash))) return false;
    await revokeUnusedLinks(client, actor.userId);
    await publishEndedSessions(client, await endUserSessions(client, actor.userId, { except: actor.sessionId }));
    const hadFeed = await revokeCalendarFeed(client, actor.userId);
    await queueMail(client, buildPasswordChangedMail(account.email, appUrl, { hadFeed }), account.companyId);
    return true;
  });
}

/** Emails a confirmation link to the new address. Returns false if the password has changed since it was verified. */
export async function requestEmailChange(
  { pools, appUrl }: AccountServices,
  actor: Person,
  verifiedHash: string,
  email: string,
): Promise<boolean> {
  const { token, hash } = createLinkToken();
  return runInTransaction(pools.system, async (client) => {
    const account = await lockAccount(client, actor.userId);
    // A password change revokes all unused links, so a request that started before the change must not create another link.
    if (!account || !(await isPasswordUnchanged(client, actor.userId, verifiedHash))) return false;
    await insertEmailChange(client, { userId: actor.userId, newEmail: email, tokenHash: hash, validHours: CONFIRMATION_LINK_HOURS });
    await queueMail(client, buildEmailConfirmationMail(email, `${appUrl}/confirm-email?token=${token}`), account.companyId);
    return true;
  });
}

/** Emails a confirmation link to the account's current address. */
export async function sendEmailConfirmation({ pools, appUrl }: Pick<Platform, 'pools' | 'appUrl'>, { userId }: Person): Promise<void> {
  const { token, hash } = createLinkToken();
  await runInTransaction(pools.system, async (client) => {
    const account = await lockAccount(client, userId);
    if (!account) return;
    await insertEmailChange(client, { userId, newEmail: account.email, tokenHash: hash, validHours: CONFIRMATION_LINK_HOURS });
    await queueMail(client, buildEmailConfirmationMail(account.email, `${appUrl}/confirm-email?token=${token}`), account.companyId);
  });
}

export interface AccountLinkErrors {
  LINK_EXPIRED(): Error;
  EMAIL_TAKEN(): Error;
}

/** Confirms the link's email address and returns it. Another account's link is rejected as expired. */
interface EmailConfirmation {
  readonly token: string;
  readonly notifyOldAddress: boolean;
}

export async function confirmNewEmail(
  services: AccountServices,
  actor: Person,
  confirmation: EmailConfirmation,
  errors: AccountLinkErrors,
): Promise<string> {
  try {
    return await runInTransaction(services.pools.system, (client) => applyConfirmation(client, services, actor, confirmation, errors));
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key') || isUniqueViolation(error, 'staff_members_by_email')) throw errors.EMAIL_TAKEN();
    throw error;
  }
}

async function applyConfirmation(
  client: pg.PoolClient,
  services: AccountServices,
  actor: Person,
  { token, notifyOldAddress }: EmailConfirmation,
  errors: AccountLinkErrors,
): Promise<string> {
  const account = await lockAccount(client, actor.userId);
  const email = account && (await consumeEmailChange(client, actor.userId, hashLinkToken(token)));
  if (!email) throw errors.LINK_EXPIRED();
  if (await isEmailTaken(client, email, actor.userId)) throw errors.EMAIL_TAKEN();
  await setLoginEmail(client, actor.userId, email);
  if (email !== account.email) await applyEmailChange(client, services, actor, account, { email, notifyOldAddress });
  if (account.companyId) await publishNotice(client, { company: account.companyId, topics: ['me', 'staff'] });
  return email;
}

/** Notifies the old address, with an undo link only if it was confirmed. An unconfirmed address may belong to a stranger. */
async function applyEmailChange(
  client: pg.PoolClient,
  { appUrl, config }: AccountServices,
  { sessionId }: Person,
  previous: Account,
  { email, notifyOldAddress }: { readonly email: string; readonly notifyOldAddress: boolean },
): Promise<void> {
  const { userId, companyId } = previous;
  await revokeUnusedLinks(client, userId);
  await setStaffEmail(client, previous, email);
  await publishEndedSessions(client, await endUserSessions(client, userId, { except: sessionId }));
  if (previous.emailVerified) {
    const { token, hash } = createLinkToken();
    await insertPasswordLink(client, { userId, kind: 'undo', email: previous.email, tokenHash: hash, validHours: UNDO_LINK_HOURS });
    await queueMail(client, buildEmailChangedMail(previous.email, email, `${appUrl}/undo-email-change?token=${token}`), companyId);
  } else if (notifyOldAddress) {
    await queueMail(client, buildUnconfirmedEmailChangedMail(previous.email, appUrl), companyId);
  }
  if (isSystemAdminEmail(email, config.adminEmail)) await passwordResetMailTask.queue(client, { email });
}
