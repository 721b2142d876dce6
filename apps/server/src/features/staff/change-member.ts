import type { StaffMember, StaffMemberChange } from '@callout/contract/staff';
import { can } from '@callout/domain/roles/roles';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { type AddressErrors, refusingTaken, requireFree } from './check-address.ts';
import { isLastAdmin } from './last-admin.ts';
import { type InviterErrors, requireConfirmedInviter, sendInvitation } from './send-invitation.ts';
import { isStaffColor, readMember, updateMember } from './staff.sql.ts';
import type { StaffContext } from './staff-mutation.ts';

interface ChangeErrors extends AddressErrors, InviterErrors {
  NOT_FOUND(): Error;
  LAST_ADMIN(details: { message: string }): Error;
  STALE_VERSION(details: { data: { current: StaffMember } }): Error;
}

/** Saves what was typed about a member. An open invitation follows its person to another address; says whether it did. */
export async function changeMember(
  scope: TenantScope,
  context: StaffContext,
  before: StaffMember,
  input: StaffMemberChange,
  errors: ChangeErrors,
): Promise<boolean> {
  if (before.version !== input.version) throw errors.STALE_VERSION({ data: { current: before } });
  if (!can(input.role, 'staff.manage') && (await isLastAdmin(scope, before)))
    throw errors.LAST_ADMIN({ message: 'Cannot demote the last admin' });
  if (input.color_id !== null && !(await isStaffColor(scope, input.color_id))) {
    throw errors.INVALID_INPUT({ data: { fields: { color_id: 'Please choose one of the colors' } } });
  }
  const moves = before.email.toLowerCase() !== input.email.toLowerCase();
  const invitedAnew = moves && before.status === 'invited';
  if (invitedAnew) requireConfirmedInviter(scope, context, errors);
  if (moves) {
    await context.limits.limitInvitations(scope.companyId);
    await requireFree(scope, context.platform.pools.system, before, input.email, errors);
  }
  if (!(await updateMember(scope, before.id, input, input.version).catch(refusingTaken(errors)))) {
    // Their login moved to another address since they were read: that waits for nobody's turn.
    const current = await readMember(scope, before.id);
    throw current ? errors.STALE_VERSION({ data: { current } }) : errors.NOT_FOUND();
  }
  if (invitedAnew) await sendInvitation(scope, context, { ...input, id: before.id });
  // Their own pages show their name, and only what their role may do.
  if (before.profile_id) await publishToPeople(scope, [before.profile_id], 'me');
  return invitedAnew;
}
