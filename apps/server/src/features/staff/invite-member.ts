import { idTakenError } from '@callout/contract/errors';
import type { NewStaffMember } from '@callout/contract/staff';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { isSameRequest, updateRecordAtVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import { createColleagueEmailFailure, requireInvitableEmail } from './check-email.ts';
import { requireConfirmedInviter, sendInvitation } from './send-invitation.ts';
import { createStaffMember, findMemberByEmail, findMemberByRequestId, staffRecordType } from './staff.sql.ts';

/** Adds and invites a staff member, and returns the member's id. If an earlier invitation expired or was withdrawn, reuses that member. */
export async function inviteMember(scope: TenantScope, context: MailingContext, input: NewStaffMember): Promise<string> {
  const { id: requestId, ...fields } = input;
  const existing = (await staffRecordType.find(scope, requestId)) ?? (await findMemberByRequestId(scope, requestId));
  if (existing) {
    // Idempotent: a retry after a lost response sends no second email.
    if (!isSameRequest(staff_members, existing, fields)) throw toFailure(idTakenError);
    return existing.id;
  }
  requireConfirmedInviter(scope, context);
  await context.mailLimiter.enforceSenderLimits(scope.companyId);
  const before = await findMemberByEmail(scope, fields.email);
  // An open invitation may have different details, which must not be overwritten silently.
  if (before?.profile_id || before?.status === 'invited') throw createColleagueEmailFailure(before);
  await requireInvitableEmail(scope, fields.email);
  const member = before ? await updateRecordAtVersion(scope, staffRecordType, before, fields) : await createStaffMember(scope, input);
  await sendInvitation(scope, context, member, { request_id: requestId });
  return member.id;
}
