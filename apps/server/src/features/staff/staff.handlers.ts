import type { StaffMember } from '@callout/contract/staff';
import { hashOfLinkToken } from '../../platform/auth/link-token.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, requireUser, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange } from '../../platform/live/live.ts';
import { mailOutcome } from '../../platform/mail/send-mail.ts';
import { removeImage } from '../files/receive-image.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { changeMember } from './change-member.ts';
import { requireInvitable } from './check-address.ts';
import { deleteInvitation, readOpenInvitation } from './invitations.sql.ts';
import { inviteMember } from './invite-member.ts';
import { isLastAdmin } from './last-admin.ts';
import { joinMyCompany, readMyInvitations } from './my-invitations.ts';
import { placeAvatar } from './place-avatar.ts';
import { removeMember } from './remove-member.ts';
import { requireConfirmedInviter, sendInvitation } from './send-invitation.ts';
import { listColors, listMembers, readMember } from './staff.sql.ts';
import { staffMutation } from './staff-mutation.ts';

interface Missing {
  NOT_FOUND(): Error;
}

export const staffHandlers = {
  list: calls.staff.list.handler(tenantQuery(async (scope) => ({ rows: await listMembers(scope) }))),

  colors: calls.staff.colors.handler(tenantQuery(async (scope) => ({ rows: await listColors(scope) }))),

  get: calls.staff.get.handler(tenantQuery((scope, { input, errors }) => memberOf(scope, input.id, errors))),

  invite: calls.staff.invite.handler(
    staffMutation(async (scope, { input, context, errors }) => {
      const id = await inviteMember(scope, context, input, errors);
      return { member: await changed(scope, id), mail: mailOutcome(context.platform.config) };
    }),
  ),

  resendInvitation: calls.staff.resendInvitation.handler(
    staffMutation(async (scope, { input, context, errors }) => {
      const member = await withoutLogin(scope, input.id, errors);
      requireConfirmedInviter(scope, context, errors);
      await context.limits.limitInvitations(scope.companyId);
      await requireInvitable(scope, member.email, errors);
      await sendInvitation(scope, context, member);
      return { member: await changed(scope, member.id), mail: mailOutcome(context.platform.config) };
    }),
  ),

  withdrawInvitation: calls.staff.withdrawInvitation.handler(
    staffMutation(async (scope, { input, errors }) => {
      const member = await withoutLogin(scope, input.id, errors);
      await deleteInvitation(scope, member.id);
      return changed(scope, member.id);
    }),
  ),

  update: calls.staff.update.handler(
    staffMutation(async (scope, { input, context, errors }) => {
      const invitedAnew = await changeMember(scope, context, await memberOf(scope, input.id, errors), input, errors);
      return { member: await changed(scope, input.id), mail: invitedAnew ? mailOutcome(context.platform.config) : null };
    }),
  ),

  removeAvatar: calls.staff.removeAvatar.handler(
    staffMutation(async (scope, { input, errors }) => {
      const { id } = await memberOf(scope, input.id, errors);
      await removeImage(scope, await placeAvatar(scope, id, null));
      return changed(scope, id);
    }),
  ),

  remove: calls.staff.remove.handler(
    staffMutation(async (scope, { input, errors }) => {
      const member = await memberOf(scope, input.id, errors);
      if (await isLastAdmin(scope, member)) throw errors.LAST_ADMIN();
      await removeMember(scope, member);
      return {};
    }),
  ),

  viewInvitation: calls.staff.viewInvitation.handler(async ({ input, context, errors }) => {
    const invitation = await readOpenInvitation(context.platform.pools.system, hashOfLinkToken(input.token), context.now);
    if (!invitation) throw errors.LINK_EXPIRED();
    const { company_name, name, email, role, replaces_company, leaves_company } = invitation;
    return { company_name, name, email, role, replaces_company, leaves_company };
  }),

  acceptInvitation: calls.staff.acceptInvitation.handler(async ({ input, context, errors }) => {
    await acceptInvitation(context, input, errors);
    return {};
  }),

  myInvitations: calls.staff.myInvitations.handler(requireUser(({ context }) => readMyInvitations(context))),

  joinCompany: calls.staff.joinCompany.handler(
    requireUser(async ({ input, context, errors }) => {
      await joinMyCompany(context, input.company_id, errors);
      return {};
    }),
  ),
};

async function memberOf(scope: TenantScope, id: string, errors: Missing): Promise<StaffMember> {
  const member = await readMember(scope, id);
  if (!member) throw errors.NOT_FOUND();
  return member;
}

/** Who has joined has no invitation any more. */
async function withoutLogin(scope: TenantScope, id: string, errors: Missing): Promise<StaffMember> {
  const member = await memberOf(scope, id, errors);
  if (member.profile_id) throw errors.NOT_FOUND();
  return member;
}

/** The member as they are now; everybody's pages look again. */
async function changed(scope: TenantScope, id: string): Promise<StaffMember> {
  await publishChange(scope, 'staff');
  const member = await readMember(scope, id);
  if (!member) throw new Error('A staff member is gone in the middle of a change');
  return member;
}
