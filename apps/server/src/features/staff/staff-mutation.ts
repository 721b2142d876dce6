import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { requireCapability, unauthenticated } from '../../platform/errors/failures.ts';
import type { GuardedContext, MemberContext } from '../../platform/http/call-context.ts';
import { tenantMutation } from '../../platform/http/calls.ts';
import { createInvitationLimits, type InvitationLimits } from './invitation-limits.ts';
import { lockStaff, readCurrentRole } from './staff.sql.ts';

export interface StaffContext extends MemberContext {
  readonly limits: InvitationLimits;
}

/** A handler that changes the staff: serialized per company, and reauthorized once it holds the lock. */
export function staffMutation<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: StaffContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return (options) => {
    const limits = createInvitationLimits(options.context);
    const mutate = tenantMutation<Options, Result>(async (scope, member) => {
      await lockAndReauthorize(scope);
      return work(scope, { ...member, context: { ...member.context, limits } });
    });
    return mutate(options);
  };
}

export async function lockAndReauthorize(scope: TenantScope): Promise<void> {
  await lockStaff(scope);
  const role = await readCurrentRole(scope);
  if (!role) throw unauthenticated();
  requireCapability(role, 'staff.manage');
}
