import type { StaffMember } from '@callout/contract/staff';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishChange, publishEndedSessions } from '../../platform/live/live.ts';
import { removeImage } from '../files/receive-image.ts';
import { removeLogin } from './logins.sql.ts';
import { deleteMember } from './staff.sql.ts';

/** The member and their login are gone, in every open page too; what they did for the company stays. */
export async function removeMember(scope: TenantScope, { id, avatar_url }: StaffMember): Promise<void> {
  await publishEndedSessions(scope, await removeLogin(scope, id));
  await removeImage(scope, avatar_url);
  await deleteMember(scope, id);
  await publishChange(scope, 'staff');
}
