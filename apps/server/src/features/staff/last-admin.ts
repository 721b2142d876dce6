import type { StaffMember } from '@callout/contract/staff';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { adminsOf } from '../notifications/notifications.sql.ts';

/** An invited admin who never joined cannot run a company: those who can sign in count. */
export async function isLastAdmin(scope: TenantScope, { profile_id }: StaffMember): Promise<boolean> {
  const admins = await adminsOf(scope);
  return admins.length === 1 && admins[0] === profile_id;
}
