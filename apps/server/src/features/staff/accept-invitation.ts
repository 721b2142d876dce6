import { randomUUID } from 'node:crypto';
import type { AcceptedInvitation } from '@callout/contract/staff';
import { hashPassword } from '../../platform/auth/accounts.ts';
import { hashOfLinkToken } from '../../platform/auth/link-token.ts';
import { signInKey } from '../../platform/auth/sign-in-limit.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { changeAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { forgetAttempts } from '../../platform/limits/rate-limit.sql.ts';
import { publish } from '../../platform/live/live.sql.ts';
import { publishChange } from '../../platform/live/live.ts';
import { adminsOf } from '../notifications/notifications.sql.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { type OpenInvitation, readOpenInvitation, takeInvitation } from './invitations.sql.ts';
import { giveLogin } from './logins.sql.ts';
import { lockStaff } from './staff.sql.ts';

interface AcceptErrors {
  LINK_EXPIRED(): Error;
  EMAIL_TAKEN(): Error;
}

/** Joins the company with a mailed link and signs in. A link works once, also when it is used twice at the same moment. */
export async function acceptInvitation(context: GuardedContext, input: AcceptedInvitation, errors: AcceptErrors): Promise<void> {
  const { pools, accounts } = context.platform;
  const tokenHash = hashOfLinkToken(input.token);
  const invitation = await readOpenInvitation(pools.system, tokenHash, context.now);
  if (!invitation) throw errors.LINK_EXPIRED();
  // Slow on purpose, so it is done before anybody else has to wait.
  const login = { id: randomUUID(), passwordHash: await hashPassword(input.password) };
  try {
    await changeAs(pools.app, invitation.tenant, (scope) => join(scope, invitation, tokenHash, login, errors));
  } catch (error) {
    // They joined or started another company at the same moment.
    if (isUniqueViolation(error, 'staff_members_profile_id_key')) throw errors.EMAIL_TAKEN();
    throw error;
  }
  await forgetAttempts(pools.system, signInKey(invitation.email));
  const cookies = await accounts.signIn(invitation.email, input.password, { ip: context.ip, userAgent: context.userAgent });
  // Somebody deleted them a moment after they joined.
  if (!cookies) throw errors.LINK_EXPIRED();
  context.setCookies(cookies);
}

async function join(
  scope: TenantScope,
  { staff_id, name }: OpenInvitation,
  tokenHash: string,
  login: { readonly id: string; readonly passwordHash: string },
  errors: AcceptErrors,
): Promise<void> {
  await lockStaff(scope);
  // Between the first look and now it may have been used, withdrawn or mailed to another address.
  if (!(await takeInvitation(scope, tokenHash))) throw errors.LINK_EXPIRED();
  const given = await giveLogin(scope, staff_id, login.id, login.passwordHash);
  if (!given) throw errors.EMAIL_TAKEN();
  for (const ended_session of given.ended_sessions) await publish(scope, { ended_session });
  const others = (await adminsOf(scope)).filter((admin) => admin !== given.login);
  await notifyPeople(scope, others, { message: `${name} accepted your invitation`, type: 'success' });
  await publishChange(scope, 'staff');
}
