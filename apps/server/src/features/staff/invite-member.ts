import type { NewStaffMember, StaffMember } from '@callout/contract/staff';
import { roundMoney } from '@callout/domain/money/money';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type AddressErrors, refusingTaken, requireInvitable } from './check-address.ts';
import { type InviterErrors, requireConfirmedInviter, sendInvitation } from './send-invitation.ts';
import { insertMember, readMember, readMemberByAddress, readMemberByRequest, updateMember } from './staff.sql.ts';
import type { StaffContext } from './staff-mutation.ts';

interface InviteErrors extends AddressErrors, InviterErrors {
  ID_TAKEN(): Error;
}

/** Gives somebody a place in the company and mails them the link to it. The id of their place: another one when they had it already. */
export async function inviteMember(
  scope: TenantScope,
  context: StaffContext,
  input: NewStaffMember,
  errors: InviteErrors,
): Promise<string> {
  const existing = (await readMember(scope, input.id)) ?? (await readMemberByRequest(scope, input.id));
  if (existing) {
    // A retry on a bad connection: the same request again is the same invitation, mailed once.
    if (!isSameRequest(existing, input)) throw errors.ID_TAKEN();
    return existing.id;
  }
  requireConfirmedInviter(scope, context, errors);
  await context.limits.limitInvitations(scope.companyId);
  await requireInvitable(scope, input.email, errors);
  const before = await readMemberByAddress(scope, input.email);
  if (before?.profile_id) throw errors.EMAIL_TAKEN();
  await (before ? updateMember(scope, before.id, input) : insertMember(scope, input)).catch(refusingTaken(errors));
  const id = before?.id ?? input.id;
  await sendInvitation(scope, context, { ...input, id }, input.id);
  return id;
}

function isSameRequest(member: StaffMember, { name, email, phone, hourly_rate, role }: NewStaffMember): boolean {
  return (
    member.name === name &&
    member.email === email &&
    member.phone === phone &&
    member.hourly_rate === roundMoney(hourly_rate) &&
    member.role === role
  );
}
