import { randomUUID } from 'node:crypto';
import type { AcceptedInvitation } from '@callout/contract/staff';
import { hashPassword } from '../../platform/auth/accounts.ts';
import { refuseCommonPassword } from '../../platform/auth/common-passwords.ts';
import { hashOfLinkToken } from '../../platform/auth/link-token.ts';
import { isAdminEmail } from '../../platform/auth/system-admin.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { forgiveAccountAttempt, SIGN_IN } from '../../platform/limits/account-limits.ts';
import { sendPasswordReset } from '../auth/reset-password.ts';
import { readOpenInvitation } from './invitations.sql.ts';
import { type JoinErrors, joinCompany } from './join-company.ts';
import { giveLogin } from './logins.sql.ts';

interface AcceptErrors extends JoinErrors {
  LINK_EXPIRED(): Error;
}

/** Joins the company with a mailed link and signs in. A link works once, also when it is used twice at the same moment. */
export async function acceptInvitation(context: GuardedContext, input: AcceptedInvitation, errors: AcceptErrors): Promise<void> {
  const { pools, accounts, config, deviceCookie } = context.platform;
  const invitation = await readOpenInvitation(pools.system, hashOfLinkToken(input.token), context.now);
  if (!invitation) throw errors.LINK_EXPIRED();
  refuseCommonPassword('password', input.password, invitation.email);
  // Slow on purpose, so it is done before anybody else has to wait.
  const login = { id: randomUUID(), passwordHash: await hashPassword(input.password) };
  await joinCompany(
    context.platform,
    {
      invitation,
      invitationEnded: () => errors.LINK_EXPIRED(),
      async giveLogin(scope) {
        // Whoever invited them may know this link too: it makes nobody administrator.
        if (isAdminEmail(invitation.email, config.adminEmail)) await sendPasswordReset.later(scope, { email: invitation.email });
        return giveLogin(scope, invitation.staff_id, login.id, login.passwordHash);
      },
    },
    errors,
  );
  await forgiveAccountAttempt(pools.system, SIGN_IN, { email: invitation.email, ip: context.ip, knownDevice: null });
  const cookies = await accounts.signIn(invitation.email, input.password, context);
  // Somebody deleted them a moment after they joined.
  if (!cookies) throw errors.LINK_EXPIRED();
  context.setCookies([...cookies, deviceCookie.remember(context.cookies, login.passwordHash)]);
}
