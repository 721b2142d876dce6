import type pg from 'pg';
import {
  type Account,
  consumeEmailChange,
  endOpenLinks,
  isEmailTaken,
  isPasswordStill,
  lockAccount,
  readPasswordHash,
  replacePassword,
  setLoginEmail,
  setStaffEmail,
  storeEmailChange,
} from '../../platform/auth/account-changes.sql.ts';
import { hashLinkToken, newLinkToken, storePasswordLink } from '../../platform/auth/password-links.sql.ts';
import { endSessionsOf } from '../../platform/auth/session.sql.ts';
import { isAdminEmail } from '../../platform/auth/system-admin.ts';
import type { Person } from '../../platform/db/actor.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publish } from '../../platform/live/live.sql.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { confirmEmailMail, emailChangedMail, unconfirmedEmailChangedMail } from './email-change.mail.ts';
import { passwordChangedEmail } from './password.mail.ts';
import { sendPasswordReset } from './reset-password.ts';

const CONFIRM_HOURS = 24;
const UNDO_HOURS = 7 * 24;

type Parts = Pick<Platform, 'pools' | 'passwords' | 'appUrl' | 'config'>;

/** The stored password hash if the typed password matches, otherwise null. Slow on purpose, so never inside a transaction. */
export async function provePassword(
  { pools, passwords }: Pick<Parts, 'pools' | 'passwords'>,
  { userId }: Person,
  typed: string,
): Promise<string | null> {
  const stored = await readPasswordHash(pools.system, userId);
  return stored !== null && (await passwords.isMatch(stored, typed)) ? stored : null;
}

/** False when the password has changed since it was verified. Signs out all other sessions, including open pages. */
export async function changePassword({ pools, passwords, appUrl }: Parts, actor: Person, proven: string, next: string): Promise<boolean> {
  const nextHash = await passwords.hash(next);
  return inTransaction(pools.system, async (client) => {
    const account = await lockAccount(client, actor.userId);
    if (!account || !(await replacePassword(client, actor.userId, proven, nextHash))) return false;
    await endOpenLinks(client, actor.userId);
    await publishEndedSessions(client, await endSessionsOf(client, actor.userId, { except: actor.sessionId }));
    await queueMail(client, passwordChangedEmail(account.email, appUrl), account.companyId);
    return true;
  });
}

/** Mails a link to the new email; opening it completes the change. False when the password has changed since it was verified. */
export async function requestEmailChange({ pools, appUrl }: Parts, actor: Person, proven: string, email: string): Promise<boolean> {
  const { token, hash } = newLinkToken();
  return inTransaction(pools.system, async (client) => {
    const account = await lockAccount(client, actor.userId);
    // A password change ends every open link, so no link may be created after it.
    if (!account || !(await isPasswordStill(client, actor.userId, proven))) return false;
    await storeEmailChange(client, { userId: actor.userId, newEmail: email, tokenHash: hash, hours: CONFIRM_HOURS });
    await queueMail(client, confirmEmailMail(email, `${appUrl}/confirm-email?token=${token}`), account.companyId);
    return true;
  });
}

/** Mails a confirmation link to the account's current email. */
export async function requestConfirmation({ pools, appUrl }: Pick<Parts, 'pools' | 'appUrl'>, { userId }: Person): Promise<void> {
  const { token, hash } = newLinkToken();
  await inTransaction(pools.system, async (client) => {
    const account = await lockAccount(client, userId);
    if (!account) return;
    await storeEmailChange(client, { userId, newEmail: account.email, tokenHash: hash, hours: CONFIRM_HOURS });
    await queueMail(client, confirmEmailMail(account.email, `${appUrl}/confirm-email?token=${token}`), account.companyId);
  });
}

export interface LinkErrors {
  LINK_EXPIRED(): Error;
  EMAIL_TAKEN(): Error;
}

/** Returns the confirmed email. A link of another account fails like an expired one. */
export async function confirmNewEmail(parts: Parts, actor: Person, token: string, errors: LinkErrors): Promise<string> {
  try {
    return await inTransaction(parts.pools.system, (client) => confirm(client, parts, actor, token, errors));
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key') || isUniqueViolation(error, 'staff_members_by_email')) throw errors.EMAIL_TAKEN();
    throw error;
  }
}

async function confirm(client: pg.PoolClient, parts: Parts, actor: Person, token: string, errors: LinkErrors): Promise<string> {
  const account = await lockAccount(client, actor.userId);
  const email = account && (await consumeEmailChange(client, actor.userId, hashLinkToken(token)));
  if (!email) throw errors.LINK_EXPIRED();
  if (await isEmailTaken(client, email, actor.userId)) throw errors.EMAIL_TAKEN();
  await setLoginEmail(client, actor.userId, email);
  if (email !== account.email) await moveToNewEmail(client, parts, actor, account, email);
  if (account.companyId) await publish(client, { company: account.companyId, topics: ['me', 'staff'] });
  return email;
}

/** Ends all sessions and links and mails the old email an undo link, unless it was never confirmed: it may be a stranger's. */
async function moveToNewEmail(
  client: pg.PoolClient,
  { appUrl, config }: Parts,
  { sessionId }: Person,
  before: Account,
  email: string,
): Promise<void> {
  const { userId, companyId } = before;
  await endOpenLinks(client, userId);
  await setStaffEmail(client, before, email);
  await publishEndedSessions(client, await endSessionsOf(client, userId, { except: sessionId }));
  if (before.emailVerified) {
    const { token, hash } = newLinkToken();
    await storePasswordLink(client, { userId, kind: 'undo', email: before.email, tokenHash: hash, hours: UNDO_HOURS });
    await queueMail(client, emailChangedMail(before.email, email, `${appUrl}/undo-email-change?token=${token}`), companyId);
  } else {
    await queueMail(client, unconfirmedEmailChangedMail(before.email, appUrl), companyId);
  }
  if (isAdminEmail(email, config.adminEmail)) await sendPasswordReset.later(client, { email });
}
