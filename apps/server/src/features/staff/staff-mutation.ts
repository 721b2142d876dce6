import { commonErrors } from '@callout/contract/errors';
import { can, refusal } from '@callout/domain/roles/roles';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure } from '../../platform/errors/failures.ts';
import type { GuardedContext, MemberContext } from '../../platform/http/call-context.ts';
import { tenantMutation } from '../../platform/http/calls.ts';
import { lockStaff, readOwnRole } from './staff.sql.ts';

/** A handler that changes the staff: one at a time, and only for who still may when it is their turn. */
export function staffMutation<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: MemberContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return tenantMutation<Options, Result>(async (scope, options) => {
    await lockAndReauthorize(scope);
    return work(scope, options);
  });
}

export async function lockAndReauthorize(scope: TenantScope): Promise<void> {
  await lockStaff(scope);
  const role = await readOwnRole(scope);
  if (!role) throw failure('UNAUTHENTICATED', commonErrors.UNAUTHENTICATED.message);
  if (!can(role, 'staff.manage')) throw failure('FORBIDDEN', refusal('staff.manage'));
}
