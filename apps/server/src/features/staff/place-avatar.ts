import { STAFF_NOT_FOUND } from '@callout/contract/staff';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure } from '../../platform/errors/failures.ts';
import { publishChange, publishToPeople } from '../../platform/live/live.ts';
import { replaceAvatar } from './staff.sql.ts';

/** Puts a picture in the place of the member's own, which is given back; null takes it away. */
export async function placeAvatar(scope: TenantScope, id: string, url: string | null): Promise<string | null> {
  const before = await replaceAvatar(scope, id, url);
  if (!before) throw failure('NOT_FOUND', STAFF_NOT_FOUND);
  await publishChange(scope, 'staff');
  if (before.profile_id) await publishToPeople(scope, [before.profile_id], 'me');
  return before.avatar_url;
}
