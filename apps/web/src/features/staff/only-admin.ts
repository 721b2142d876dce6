import type { StaffMember } from '@callout/contract/staff';
import { hasCapability } from '@callout/domain/roles/roles';
import { useQuery } from '@tanstack/react-query';
import { useCan, useMe } from '../company/company.api.ts';
import { staffListQueryOptions } from './staff.api.ts';

export const ONLY_ADMIN_MESSAGE = "You're the only admin. Make someone else an admin first.";
export const ONLY_ADMIN_CANNOT_LEAVE_MESSAGE =
  "You're the only admin. Make someone else an admin first, or delete the company under General.";

/** Invited admins who haven't joined yet don't count, just as on the server. */
const isAdmin = ({ role, status }: StaffMember) => hasCapability(role, 'staff.manage') && status === 'active';

/** Returns true if the user is the only admin, who can neither leave nor change their role. False until the staff list loads. */
export function useIsOnlyAdmin(): boolean {
  const me = useMe().user.staff_id;
  const { data } = useQuery({ ...staffListQueryOptions, enabled: useCan('staff.manage') });
  const admins = data?.rows.filter(isAdmin) ?? [];
  return admins.length === 1 && admins[0]?.id === me;
}
