import { randomUUID } from 'node:crypto';
import { type AcceptedInvitation, emailHasAccountError, emailTakenError, invitationExpiredError } from '@callout/contract/staff';
import { requireUncommonPassword } from '../../platform/auth/common-passwords.ts';
import { hashLinkToken } from '../../platform/auth/password-links.sql.ts';
import { isSystemAdminEmail } from '../../platform/auth/system-admin.ts';
import { translateDatabaseError } from '../../platform/db/database-errors.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { refundAccountAttempt, SIGN_IN_LIMITS } from '../../platform/limits/account-limits.ts';
import { passwordResetMailTask } from '../auth/reset-password.ts';
import { findOpenInvitation } from './invitations.sql.ts';
import { joinCompany } from './join-company.ts';
import { createOrTakeOverLogin } from './logins.sql.ts';

/** Lets the link's holder join the company and signs them in. The link works only once, even for concurrent requests. */
export async function acceptInvitation(context: GuardedContext, input: AcceptedInvitation): Promise<void> {
  const { pools, accounts, passwordHasher, config, sessionCookie, deviceCookie } = context.platform;
  const invitation = await findOpenInvitation(pools.system, hashLinkToken(input.token), context.now);
  if (!invitation) throw toFailure(invitationExpiredError);
  if (!invitation.takes_over_account && isSystemAdminEmail(invitation.email, config.adminEmail)) throw toFailure(emailHasAccountError);
  requireUncommonPassword('password', input.password, invitation.email);
  // Hashing is slow on purpose, so do it before taking any locks.
  const passwordHash = await passwordHasher.hash(input.password, context.ip);
  const login = { id: randomUUID(), passwordHash, provesEmail: invitation.takes_over_account };
  await joinCompany(context.platform, {
    invitation,
    invitationClosedError: invitationExpiredError,
    loginRefusedError: invitation.takes_over_account ? emailTakenError : emailHasAccountError,
    async attachLogin(scope) {
      // The inviter may know this link, so it must not grant system administrator access. The password link sent by this task does.
      if (isSystemAdminEmail(invitation.email, config.adminEmail)) await passwordResetMailTask.queue(scope, { email: invitation.email });
      return createOrTakeOverLogin(scope, invitation.staff_id, login);
    },
  });
  await refundAccountAttempt(pools.system, SIGN_IN_LIMITS, {
    email: invitation.email,
    ip: context.ip,
    knownDevice: null,
    isKnownNetwork: false,
  });
  const token = await accounts.signIn(invitation.email, input.password, context).catch((error: unknown) => {
    if (translateDatabaseError(error)?.code === 'UNAUTHENTICATED') return null;
    throw error;
  });
  // The member was deleted right after joining, possibly while signing in.
  if (!token) throw toFailure(invitationExpiredError);
  context.setCookies([sessionCookie.buildSetCookie(token), deviceCookie.buildSetCookie(context.cookieHeader, login.passwordHash)]);
}
