import { staleRecordError } from '@callout/contract/errors';
import {
  HOURLY_RATE_REQUIRED_MESSAGE,
  lastAdminError,
  PHONE_REQUIRED_MESSAGE,
  type StaffMember,
  type UpdateStaffMemberInput,
} from '@callout/contract/staff';
import { hasCapability } from '@callout/domain/roles/roles';
import { lockOutMember } from '../../platform/db/locks.sql.ts';
import { updateRecordAtVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import { publishChange, publishEndedSessions, publishToPeople } from '../../platform/live/live.ts';
import { readIssuer } from '../company/company.sql.ts';
import { deleteInBackground } from '../deletions/delete-record.ts';
import { removeImage } from '../files/receive-image.ts';
import { listAdminUserIds } from '../notifications/notifications.sql.ts';
import { requireUnusedEmail } from './check-email.ts';
import { deleteLogin } from './logins.sql.ts';
import { requireConfirmedInviter, sendInvitation } from './send-invitation.ts';
import { isStaffColorId, staffRecordType } from './staff.sql.ts';

/** Saves a member's details. If the email address changed, resends a pending invitation. Returns true if the invitation was resent. */
export async function updateMember(scope: TenantScope, context: MailingContext, before: StaffMember, change: UpdateStaffMemberInput) {
  const { id, version, ...fields } = change;
  if (before.version !== version) throw toFailure(staleRecordError, { current: before });
  if (!hasCapability(fields.role, 'staff.manage') && (await isLastAdmin(scope, before))) {
    throw createFailure('LAST_ADMIN', 'Cannot demote the last admin');
  }
  // The owner signs up without a phone number and rate. Once set, neither can be removed.
  if (before.phone !== null && fields.phone === null) throw createInvalidInputFailure({ phone: PHONE_REQUIRED_MESSAGE });
  if (before.hourly_rate !== null && fields.hourly_rate === null)
    throw createInvalidInputFailure({ hourly_rate: HOURLY_RATE_REQUIRED_MESSAGE });
  if (fields.color_id !== null && !(await isStaffColorId(scope, fields.color_id))) {
    throw createInvalidInputFailure({ color_id: 'Please choose one of the colors' });
  }
  // Compare exactly, because 'K' and the Kelvin sign are equal in lower case but belong to different email addresses.
  const hasNewEmail = before.email !== fields.email;
  const shouldResend = before.email.toLowerCase() !== fields.email.toLowerCase() && before.status === 'invited';
  if (shouldResend) requireConfirmedInviter(scope, context);
  if (hasNewEmail) {
    await context.mailLimiter.enforceSenderLimits(scope.companyId);
    await requireUnusedEmail(scope, context.platform.pools.system, before, fields.email);
  }
  await updateRecordAtVersion(scope, staffRecordType, { id, version }, fields);
  if (shouldResend) await sendInvitation(scope, context, { id, ...fields });
  // The member's open pages show their name and depend on their role, so those pages must refetch.
  if (before.profile_id) await publishToPeople(scope, [before.profile_id], 'me');
  return shouldResend;
}

/** Deletes the member and their login, and signs them out on every open page. The records they created remain. */
export async function removeMember(scope: TenantScope, { platform }: CallContext, member: StaffMember): Promise<void> {
  if (await isLastAdmin(scope, member)) throw toFailure(lastAdminError);
  const { issuer } = await readIssuer(scope);
  // First wait for the member's running commands. Each of them has locked the membership, so change the member only afterwards.
  if (member.profile_id) await lockOutMember(scope, member.profile_id);
  const endedSessions = await deleteLogin(scope, member.id, platform.config.adminEmail);
  await publishEndedSessions(scope, endedSessions, issuer.company_name ?? 'the company');
  // A system administrator keeps their login, so refresh their open pages instead of signing them out.
  if (member.profile_id) await publishToPeople(scope, [member.profile_id], 'me');
  await removeImage(scope, member.avatar_url);
  await deleteInBackground(scope, staffRecordType, member.id);
  await publishChange(scope, 'staff', 'jobs', 'tasks', 'timer');
}

/** Ignores admins who haven't accepted their invitation, because they can't sign in to manage the company. */
async function isLastAdmin(scope: TenantScope, { profile_id }: StaffMember): Promise<boolean> {
  const admins = await listAdminUserIds(scope);
  return admins.length === 1 && admins[0] === profile_id;
}
