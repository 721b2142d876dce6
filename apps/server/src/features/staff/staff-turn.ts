import { commonErrors } from '@callout/contract/errors';
import { can, refusal } from '@callout/domain/roles/roles';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { GuardedContext, MemberContext } from '../../platform/http/call-context.ts';
import { changing } from '../../platform/http/calls.ts';
import { failure } from '../../platform/http/failures.ts';
import { holdStaff, readOwnRole } from './staff.sql.ts';

/** A handler that changes the staff: one at a time, and only for who still may when it is their turn. */
export function changingStaff<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: MemberContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return changing<Options, Result>(async (scope, options) => {
    await takeStaffTurn(scope);
    return work(scope, options);
  });
}

export async function takeStaffTurn(scope: TenantScope): Promise<void> {
  await holdStaff(scope);
  const role = await readOwnRole(scope);
  if (!role) throw failure('UNAUTHENTICATED', commonErrors.UNAUTHENTICATED.message);
  if (!can(role, 'staff.manage')) throw failure('FORBIDDEN', refusal('staff.manage'));
}
