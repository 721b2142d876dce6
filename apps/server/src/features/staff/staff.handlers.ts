import { invitationExpiredError, type StaffMember, staffMemberNotFoundError } from '@callout/contract/staff';
import { hashLinkToken } from '../../platform/auth/password-links.sql.ts';
import { getPerson } from '../../platform/db/actor.ts';
import { readRecord, updateRecordAtVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { calls, requireUser, staffLockingMutation, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange, publishToPeople } from '../../platform/live/live.ts';
import { getMailOutcome } from '../../platform/mail/send-mail.ts';
import { removeImage } from '../files/receive-image.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { setAvatar } from './avatar.route.ts';
import { deleteInvitation, findOpenInvitation, wasResentByRequest } from './invitations.sql.ts';
import { inviteMember } from './invite-member.ts';
import { joinInvitingCompany, readMyInvitations } from './my-invitations.ts';
import { copyInvitationLink, requireInvitationAllowed, sendInvitation } from './send-invitation.ts';
import { getMyStaffId, listStaffColors, listStaffMembers, listStaffNames, myDetailsRecordType, staffRecordType } from './staff.sql.ts';
import { staffMutation } from './staff-mutation.ts';
import { removeMember, updateMember } from './update-member.ts';

export const staffHandlers = {
  list: calls.staff.list.handler(tenantQuery(async (scope) => ({ rows: await listStaffMembers(scope) }))),

  names: calls.staff.names.handler(tenantQuery(async (scope) => ({ rows: await listStaffNames(scope) }))),

  colors: calls.staff.colors.handler(tenantQuery(async (scope) => ({ rows: await listStaffColors(scope) }))),

  get: calls.staff.get.handler(tenantQuery((scope, { input }) => readRecord(scope, staffRecordType, input.id))),

  invite: calls.staff.invite.handler(
    staffMutation(async (scope, { input, context }) => {
      const id = await inviteMember(scope, context, input);
      return { member: await publishAndReadMember(scope, id), mail: getMailOutcome(context.platform.config) };
    }),
  ),

  resendInvitation: calls.staff.resendInvitation.handler(
    staffMutation(async (scope, { input, context }) => {
      const member = await readMemberWithoutLogin(scope, input.id);
      const mail = getMailOutcome(context.platform.config);
      // A retry after a lost response must not send a second email, because its new link would disable the link in the first email.
      if (input.request_id && (await wasResentByRequest(scope, member.id, input.request_id))) return { member, mail };
      await requireInvitationAllowed(scope, context, member);
      await sendInvitation(scope, context, member, { resend_id: input.request_id ?? null });
      return { member: await publishAndReadMember(scope, member.id), mail };
    }),
  ),

  copyInvitationLink: calls.staff.copyInvitationLink.handler(
    staffMutation(async (scope, { input, context }) => {
      const member = await readMemberWithoutLogin(scope, input.id);
      await requireInvitationAllowed(scope, context, member);
      const url = await copyInvitationLink(scope, context, member);
      return { member: await publishAndReadMember(scope, member.id), url };
    }),
  ),

  withdrawInvitation: calls.staff.withdrawInvitation.handler(
    staffMutation(async (scope, { input }) => {
      const member = await readMemberWithoutLogin(scope, input.id);
      await deleteInvitation(scope, member.id);
      return publishAndReadMember(scope, member.id);
    }),
  ),

  update: calls.staff.update.handler(
    staffMutation(async (scope, { input, context }) => {
      const before = await readRecord(scope, staffRecordType, input.id);
      const wasResent = await updateMember(scope, context, before, input);
      return { member: await publishAndReadMember(scope, input.id), mail: wasResent ? getMailOutcome(context.platform.config) : null };
    }),
  ),

  removeAvatar: calls.staff.removeAvatar.handler(
    staffMutation(async (scope, { input }) => {
      await removeImage(scope, await setAvatar(scope, input.id, null));
      return publishAndReadMember(scope, input.id);
    }),
  ),

  remove: calls.staff.remove.handler(
    staffMutation(async (scope, { input, context }) => {
      await removeMember(scope, context, await readRecord(scope, staffRecordType, input.id));
      return {};
    }),
  ),

  myDetails: calls.staff.myDetails.handler(tenantQuery((scope) => readRecord(scope, myDetailsRecordType, getMyStaffId(scope)))),

  updateMyDetails: calls.staff.updateMyDetails.handler(
    tenantMutation(async (scope, { input: { version, ...details } }) => {
      const changedDetails = await updateRecordAtVersion(scope, myDetailsRecordType, { id: getMyStaffId(scope), version }, details);
      await publishChange(scope, 'staff', 'jobs', 'tasks');
      await publishToPeople(scope, [getPerson(scope.actor).userId], 'me');
      return changedDetails;
    }),
  ),

  removeMyAvatar: calls.staff.removeMyAvatar.handler(
    tenantMutation(async (scope) => {
      const id = getMyStaffId(scope);
      await removeImage(scope, await setAvatar(scope, id, null));
      return readRecord(scope, myDetailsRecordType, id);
    }),
  ),

  leave: calls.staff.leave.handler(
    staffLockingMutation(async (scope, { context }) => {
      await removeMember(scope, context, await readRecord(scope, staffRecordType, getMyStaffId(scope)));
      return {};
    }),
  ),

  viewInvitation: calls.staff.viewInvitation.handler(async ({ input, context }) => {
    const invitation = await findOpenInvitation(context.platform.pools.system, hashLinkToken(input.token), context.now);
    if (!invitation) throw toFailure(invitationExpiredError);
    const { company_id, company_name, name, email, role, replaces_company, leaves_company, takes_over_account } = invitation;
    return { company_id, company_name, name, email, role, replaces_company, leaves_company, takes_over_account };
  }),

  acceptInvitation: calls.staff.acceptInvitation.handler(async ({ input, context }) => {
    await acceptInvitation(context, input);
    return {};
  }),

  myInvitations: calls.staff.myInvitations.handler(requireUser(({ context }) => readMyInvitations(context))),

  joinCompany: calls.staff.joinCompany.handler(
    requireUser(async ({ input, context }) => {
      await joinInvitingCompany(context, input.company_id);
      return {};
    }),
  ),
};

/** Throws NOT_FOUND if the member has already joined, because the invitation no longer exists. */
async function readMemberWithoutLogin(scope: TenantScope, id: string): Promise<StaffMember> {
  const member = await readRecord(scope, staffRecordType, id);
  if (member.profile_id) throw toFailure(staffMemberNotFoundError);
  return member;
}

/** Makes open pages refetch the staff, and the jobs and tasks that show the member's name. Returns the member. */
async function publishAndReadMember(scope: TenantScope, id: string): Promise<StaffMember> {
  await publishChange(scope, 'staff', 'jobs', 'tasks');
  return readRecord(scope, staffRecordType, id);
}
