import { idTaken } from '@callout/contract/errors';
import type { NewStaffMember } from '@callout/contract/staff';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { isSameRequest, updateFromVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import { alreadyInvited, alreadyOnStaff, requireInvitable } from './check-email.ts';
import { requireConfirmedInviter, sendInvitation } from './send-invitation.ts';
import { createMember, findMemberByEmail, findMemberByRequest, staffRecord } from './staff.sql.ts';

/**
 * Makes somebody a staff member and mails them an invitation. Returns their id: an older one when an earlier invitation has expired or was
 * withdrawn.
 */
export async function inviteMember(scope: TenantScope, context: MailingContext, input: NewStaffMember): Promise<string> {
  const { id: requestId, ...fields } = input;
  const existing = (await staffRecord.find(scope, requestId)) ?? (await findMemberByRequest(scope, requestId));
  if (existing) {
    // The answer was lost and the request sent again: it is one invitation, mailed once.
    if (!isSameRequest(staff_members, existing, fields)) throw failureOf(idTaken);
    return existing.id;
  }
  requireConfirmedInviter(scope, context);
  await context.limits.limitSender(scope.companyId);
  const before = await findMemberByEmail(scope, fields.email);
  if (before?.profile_id) throw alreadyOnStaff(before);
  // Its details may differ, and must not be overwritten without a word.
  if (before?.status === 'invited') throw alreadyInvited(before);
  await requireInvitable(scope, fields.email);
  const member = before ? await updateFromVersion(scope, staffRecord, before, fields) : await createMember(scope, input);
  await sendInvitation(scope, context, member, { request_id: requestId });
  return member.id;
}
