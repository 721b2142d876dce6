import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { requireCapability, unauthenticated } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { type MailingContext, mailingMutation } from '../../platform/http/mailing-mutation.ts';
import { INVITATIONS } from './invitation-limits.ts';
import { lockStaff, readCurrentRole } from './staff.sql.ts';

/** A handler that changes the staff: serialized per company, and reauthorized once it holds the lock. */
export function staffMutation<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: MailingContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return mailingMutation<Options, Result>(INVITATIONS, async (scope, options) => {
    await lockAndReauthorize(scope);
    return work(scope, options);
  });
}

export async function lockAndReauthorize(scope: TenantScope): Promise<void> {
  await lockStaff(scope);
  const role = await readCurrentRole(scope);
  if (!role) throw unauthenticated();
  requireCapability(role, 'staff.manage');
}
