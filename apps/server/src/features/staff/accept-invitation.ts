import { randomUUID } from 'node:crypto';
import { type AcceptedInvitation, emailHasAccount, emailTaken, invitationEnded } from '@callout/contract/staff';
import { refuseCommonPassword } from '../../platform/auth/common-passwords.ts';
import { hashLinkToken } from '../../platform/auth/password-links.sql.ts';
import { isAdminEmail } from '../../platform/auth/system-admin.ts';
import { databaseFailure } from '../../platform/db/database-errors.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { forgiveAccountAttempt, SIGN_IN } from '../../platform/limits/account-limits.ts';
import { sendPasswordReset } from '../auth/reset-password.ts';
import { readOpenInvitation } from './invitations.sql.ts';
import { joinCompany } from './join-company.ts';
import { createLogin } from './logins.sql.ts';

/** Joins the company with a link and signs in. A link works once, also when it is used twice at the same moment. */
export async function acceptInvitation(context: GuardedContext, input: AcceptedInvitation): Promise<void> {
  const { pools, accounts, passwords, config, deviceCookie } = context.platform;
  const invitation = await readOpenInvitation(pools.system, hashLinkToken(input.token), context.now);
  if (!invitation) throw failureOf(invitationEnded);
  if (!invitation.takes_over_account && isAdminEmail(invitation.email, config.adminEmail)) throw failureOf(emailHasAccount);
  refuseCommonPassword('password', input.password, invitation.email);
  // Slow on purpose, so it runs before any lock is taken.
  const login = { id: randomUUID(), passwordHash: await passwords.hash(input.password), provesEmail: invitation.takes_over_account };
  await joinCompany(context.platform, {
    invitation,
    ended: invitationEnded,
    refused: invitation.takes_over_account ? emailTaken : emailHasAccount,
    async attachLogin(scope) {
      // The inviter may know this link too, so it never makes anyone administrator.
      if (isAdminEmail(invitation.email, config.adminEmail)) await sendPasswordReset.later(scope, { email: invitation.email });
      return createLogin(scope, invitation.staff_id, login);
    },
  });
  await forgiveAccountAttempt(pools.system, SIGN_IN, { email: invitation.email, ip: context.ip, knownDevice: null });
  const cookies = await accounts.signIn(invitation.email, input.password, context).catch((error: unknown) => {
    if (databaseFailure(error)?.code === 'UNAUTHENTICATED') return null;
    throw error;
  });
  // They were deleted right after they joined, perhaps while they were being signed in.
  if (!cookies) throw failureOf(invitationEnded);
  context.setCookies([...cookies, deviceCookie.remember(context.cookies, login.passwordHash)]);
}
