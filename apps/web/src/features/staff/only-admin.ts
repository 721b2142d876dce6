import type { StaffMember } from '@callout/contract/staff';
import { can } from '@callout/domain/roles/roles';
import { useQuery } from '@tanstack/react-query';
import { useCan, useMe } from '../company/company.api.ts';
import { staffListQuery } from './staff.api.ts';

export const ONLY_ADMIN = "You're the only admin. Make someone else an admin first.";

/** Only admins who have joined count, as on the server. */
const isAdmin = ({ role, status }: StaffMember) => can(role, 'staff.manage') && status === 'active';

/** Whether I am the company's only admin: then I can neither leave nor change my role. False until the staff is read. */
export function useIsOnlyAdmin(): boolean {
  const me = useMe().user.staff_id;
  const { data } = useQuery({ ...staffListQuery, enabled: useCan('staff.manage') });
  const admins = data?.rows.filter(isAdmin) ?? [];
  return admins.length === 1 && admins[0]?.id === me;
}
