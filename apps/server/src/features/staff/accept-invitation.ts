import { randomUUID } from 'node:crypto';
import type { AcceptedInvitation } from '@callout/contract/staff';
import { hashPassword } from '../../platform/auth/accounts.ts';
import { hashOfLinkToken } from '../../platform/auth/link-token.ts';
import { signInKey } from '../../platform/auth/sign-in-limit.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { forgetAttempts } from '../../platform/limits/rate-limit.sql.ts';
import { readOpenInvitation } from './invitations.sql.ts';
import { type JoinErrors, joinCompany } from './join-company.ts';
import { giveLogin } from './logins.sql.ts';

interface AcceptErrors extends JoinErrors {
  LINK_EXPIRED(): Error;
}

/** Joins the company with a mailed link and signs in. A link works once, also when it is used twice at the same moment. */
export async function acceptInvitation(context: GuardedContext, input: AcceptedInvitation, errors: AcceptErrors): Promise<void> {
  const { pools, accounts } = context.platform;
  const invitation = await readOpenInvitation(pools.system, hashOfLinkToken(input.token), context.now);
  if (!invitation) throw errors.LINK_EXPIRED();
  // Slow on purpose, so it is done before anybody else has to wait.
  const login = { id: randomUUID(), passwordHash: await hashPassword(input.password) };
  await joinCompany(
    context.platform,
    {
      invitation,
      invitationEnded: () => errors.LINK_EXPIRED(),
      giveLogin: (scope) => giveLogin(scope, invitation.staff_id, login.id, login.passwordHash),
    },
    errors,
  );
  await forgetAttempts(pools.system, signInKey(invitation.email));
  const cookies = await accounts.signIn(invitation.email, input.password, { ip: context.ip, userAgent: context.userAgent });
  // Somebody deleted them a moment after they joined.
  if (!cookies) throw errors.LINK_EXPIRED();
  context.setCookies(cookies);
}
