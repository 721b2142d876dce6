import { invitationEnded, type StaffMember, staffNotFound } from '@callout/contract/staff';
import { hashLinkToken } from '../../platform/auth/password-links.sql.ts';
import { personOf } from '../../platform/db/actor.ts';
import { readRecord, updateFromVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { calls, requireUser, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishChange, publishToPeople } from '../../platform/live/live.ts';
import { mailOutcome } from '../../platform/mail/send-mail.ts';
import { removeImage } from '../files/receive-image.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { setAvatar } from './avatar.route.ts';
import { changeMember, removeMember } from './change-member.ts';
import { deleteInvitation, readOpenInvitation, wasResentBy } from './invitations.sql.ts';
import { inviteMember } from './invite-member.ts';
import { joinMyCompany, readMyInvitations } from './my-invitations.ts';
import { copyInvitationLink, requireInvitationAllowed, sendInvitation } from './send-invitation.ts';
import { listColors, listMembers, listNames, lockStaff, myDetailsRecord, staffIdOf, staffRecord } from './staff.sql.ts';
import { staffMutation } from './staff-mutation.ts';

export const staffHandlers = {
  list: calls.staff.list.handler(tenantQuery(async (scope) => ({ rows: await listMembers(scope) }))),

  names: calls.staff.names.handler(tenantQuery(async (scope) => ({ rows: await listNames(scope) }))),

  colors: calls.staff.colors.handler(tenantQuery(async (scope) => ({ rows: await listColors(scope) }))),

  get: calls.staff.get.handler(tenantQuery((scope, { input }) => readRecord(scope, staffRecord, input.id))),

  invite: calls.staff.invite.handler(
    staffMutation(async (scope, { input, context }) => {
      const id = await inviteMember(scope, context, input);
      return { member: await changed(scope, id), mail: mailOutcome(context.platform.config) };
    }),
  ),

  resendInvitation: calls.staff.resendInvitation.handler(
    staffMutation(async (scope, { input, context }) => {
      const member = await readInvited(scope, input.id);
      const mail = mailOutcome(context.platform.config);
      // The answer was lost and the request sent again: another mail would end the link in the first one.
      if (input.request_id && (await wasResentBy(scope, member.id, input.request_id))) return { member, mail };
      await requireInvitationAllowed(scope, context, member);
      await sendInvitation(scope, context, member, { resend_id: input.request_id ?? null });
      return { member: await changed(scope, member.id), mail };
    }),
  ),

  copyInvitationLink: calls.staff.copyInvitationLink.handler(
    staffMutation(async (scope, { input, context }) => {
      const member = await readInvited(scope, input.id);
      await requireInvitationAllowed(scope, context, member);
      const url = await copyInvitationLink(scope, context, member);
      return { member: await changed(scope, member.id), url };
    }),
  ),

  withdrawInvitation: calls.staff.withdrawInvitation.handler(
    staffMutation(async (scope, { input }) => {
      const member = await readInvited(scope, input.id);
      await deleteInvitation(scope, member.id);
      return changed(scope, member.id);
    }),
  ),

  update: calls.staff.update.handler(
    staffMutation(async (scope, { input, context }) => {
      const before = await readRecord(scope, staffRecord, input.id);
      const isInvitedAgain = await changeMember(scope, context, before, input);
      return { member: await changed(scope, input.id), mail: isInvitedAgain ? mailOutcome(context.platform.config) : null };
    }),
  ),

  removeAvatar: calls.staff.removeAvatar.handler(
    staffMutation(async (scope, { input }) => {
      await removeImage(scope, await setAvatar(scope, input.id, null));
      return changed(scope, input.id);
    }),
  ),

  remove: calls.staff.remove.handler(
    staffMutation(async (scope, { input, context }) => {
      await removeMember(scope, context, await readRecord(scope, staffRecord, input.id));
      return {};
    }),
  ),

  myDetails: calls.staff.myDetails.handler(tenantQuery((scope) => readRecord(scope, myDetailsRecord, staffIdOf(scope)))),

  updateMyDetails: calls.staff.updateMyDetails.handler(
    tenantMutation(async (scope, { input: { version, ...details } }) => {
      const changedDetails = await updateFromVersion(scope, myDetailsRecord, { id: staffIdOf(scope), version }, details);
      await publishChange(scope, 'staff', 'jobs', 'tasks');
      await publishToPeople(scope, [personOf(scope.actor).userId], 'me');
      return changedDetails;
    }),
  ),

  removeMyAvatar: calls.staff.removeMyAvatar.handler(
    tenantMutation(async (scope) => {
      await lockStaff(scope);
      const id = staffIdOf(scope);
      await removeImage(scope, await setAvatar(scope, id, null));
      return readRecord(scope, myDetailsRecord, id);
    }),
  ),

  leave: calls.staff.leave.handler(
    tenantMutation(async (scope, { context }) => {
      await lockStaff(scope);
      await removeMember(scope, context, await readRecord(scope, staffRecord, staffIdOf(scope)));
      return {};
    }),
  ),

  viewInvitation: calls.staff.viewInvitation.handler(async ({ input, context }) => {
    const invitation = await readOpenInvitation(context.platform.pools.system, hashLinkToken(input.token), context.now);
    if (!invitation) throw failureOf(invitationEnded);
    const { company_name, name, email, role, replaces_company, leaves_company, takes_over_account } = invitation;
    return { company_name, name, email, role, replaces_company, leaves_company, takes_over_account };
  }),

  acceptInvitation: calls.staff.acceptInvitation.handler(async ({ input, context }) => {
    await acceptInvitation(context, input);
    return {};
  }),

  myInvitations: calls.staff.myInvitations.handler(requireUser(({ context }) => readMyInvitations(context))),

  joinCompany: calls.staff.joinCompany.handler(
    requireUser(async ({ input, context }) => {
      await joinMyCompany(context, input.company_id);
      return {};
    }),
  ),
};

/** Whoever has joined no longer has an invitation. */
async function readInvited(scope: TenantScope, id: string): Promise<StaffMember> {
  const member = await readRecord(scope, staffRecord, id);
  if (member.profile_id) throw failureOf(staffNotFound);
  return member;
}

/** The member as they are now; every open page reads the staff again, and the jobs that name them. */
async function changed(scope: TenantScope, id: string): Promise<StaffMember> {
  await publishChange(scope, 'staff', 'jobs', 'tasks');
  return readRecord(scope, staffRecord, id);
}
