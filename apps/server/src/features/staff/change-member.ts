import { staleRecord } from '@callout/contract/errors';
import { lastAdmin, PHONE_REQUIRED, RATE_REQUIRED, type StaffMember, type StaffMemberChange } from '@callout/contract/staff';
import { can } from '@callout/domain/roles/roles';
import { deleteRecord, updateFromVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, failureOf, invalidInput } from '../../platform/errors/failures.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import { publishChange, publishEndedSessions, publishToPeople } from '../../platform/live/live.ts';
import { removeImage } from '../files/receive-image.ts';
import { adminsOf } from '../notifications/notifications.sql.ts';
import { requireUnusedEmail } from './check-email.ts';
import { deleteLogin } from './logins.sql.ts';
import { requireConfirmedInviter, sendInvitation } from './send-invitation.ts';
import { isStaffColor, recordUnassignedJobs, staffRecord } from './staff.sql.ts';

/** Saves a member's details. A new email gets an open invitation sent again; returns whether it was. */
export async function changeMember(
  scope: TenantScope,
  context: MailingContext,
  before: StaffMember,
  { id, version, ...fields }: StaffMemberChange,
): Promise<boolean> {
  if (before.version !== version) throw failureOf(staleRecord, { current: before });
  if (!can(fields.role, 'staff.manage') && (await isLastAdmin(scope, before))) {
    throw failure('LAST_ADMIN', 'Cannot demote the last admin');
  }
  // Nobody asked the owner for them; what was given once is only changed.
  if (before.phone !== null && fields.phone === null) throw invalidInput({ phone: PHONE_REQUIRED });
  if (before.hourly_rate !== null && fields.hourly_rate === null) throw invalidInput({ hourly_rate: RATE_REQUIRED });
  if (fields.color_id !== null && !(await isStaffColor(scope, fields.color_id))) {
    throw invalidInput({ color_id: 'Please choose one of the colors' });
  }
  // Any difference is checked: 'K' and the Kelvin sign are the same letter in lower case, but not the same address.
  const hasNewEmail = before.email !== fields.email;
  const isInvitedAgain = before.email.toLowerCase() !== fields.email.toLowerCase() && before.status === 'invited';
  if (isInvitedAgain) requireConfirmedInviter(scope, context);
  if (hasNewEmail) {
    await context.limits.limitSender(scope.companyId);
    await requireUnusedEmail(scope, context.platform.pools.system, before, fields.email);
  }
  await updateFromVersion(scope, staffRecord, { id, version }, fields);
  if (isInvitedAgain) await sendInvitation(scope, context, { id, ...fields });
  // Their own pages show their name, and only what their role may do.
  if (before.profile_id) await publishToPeople(scope, [before.profile_id], 'me');
  return isInvitedAgain;
}

/** Deletes the member with their login, and ends their sessions in every open page; what they did for the company stays. */
export async function removeMember(scope: TenantScope, { platform }: CallContext, member: StaffMember): Promise<void> {
  if (await isLastAdmin(scope, member)) throw failureOf(lastAdmin);
  await recordUnassignedJobs(scope, member);
  await publishEndedSessions(scope, await deleteLogin(scope, member.id, platform.config.adminEmail));
  // For a login that stays, which only its pages notice.
  if (member.profile_id) await publishToPeople(scope, [member.profile_id], 'me');
  await removeImage(scope, member.avatar_url);
  await deleteRecord(scope, staffRecord, member.id);
  await publishChange(scope, 'staff', 'jobs', 'tasks');
}

/** Only admins who can sign in count: an invited one who never joined cannot run a company. */
async function isLastAdmin(scope: TenantScope, { profile_id }: StaffMember): Promise<boolean> {
  const admins = await adminsOf(scope);
  return admins.length === 1 && admins[0] === profile_id;
}
