import { randomUUID } from 'node:crypto';
import type { AcceptedInvitation } from '@callout/contract/staff';
import { hashPassword } from '../../platform/auth/accounts.ts';
import { refuseCommonPassword } from '../../platform/auth/common-passwords.ts';
import { hashOfLinkToken } from '../../platform/auth/link-token.ts';
import { isAdminEmail } from '../../platform/auth/system-admin.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { changeAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { forgiveAccountAttempt, SIGN_IN } from '../../platform/limits/account-limits.ts';
import { publishChange, publishEndedSessions } from '../../platform/live/live.ts';
import { sendPasswordReset } from '../auth/reset-password.ts';
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
  const { pools, accounts, config, deviceCookie } = context.platform;
  const tokenHash = hashOfLinkToken(input.token);
  const invitation = await readOpenInvitation(pools.system, tokenHash, context.now);
  if (!invitation) throw errors.LINK_EXPIRED();
  refuseCommonPassword('password', input.password, invitation.email);
  // Slow on purpose, so it is done before anybody else has to wait.
  const login = { id: randomUUID(), passwordHash: await hashPassword(input.password) };
  try {
    await changeAs(pools.app, invitation.tenant, async (scope) => {
      await join(scope, invitation, tokenHash, login, errors);
      // Whoever invited them may know this link too: it makes nobody administrator.
      if (isAdminEmail(invitation.email, config.adminEmail)) await sendPasswordReset.later(scope, { email: invitation.email });
    });
  } catch (error) {
    // They joined or started another company at the same moment.
    if (isUniqueViolation(error, 'staff_members_profile_id_key')) throw errors.EMAIL_TAKEN();
    throw error;
  }
  const knownDevice = deviceCookie.knownDevice(context.cookies, invitation.email);
  await forgiveAccountAttempt(pools.system, SIGN_IN, { email: invitation.email, ip: context.ip, knownDevice });
  const cookies = await accounts.signIn(invitation.email, input.password, context);
  // Somebody deleted them a moment after they joined.
  if (!cookies) throw errors.LINK_EXPIRED();
  context.setCookies([...cookies, deviceCookie.remember(context.cookies, invitation.email)]);
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
  await publishEndedSessions(scope, given.ended_sessions);
  const others = (await adminsOf(scope)).filter((admin) => admin !== given.login);
  await notifyPeople(scope, others, { message: `${name} accepted your invitation`, type: 'success' });
  await publishChange(scope, 'staff');
}
