import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createUnauthenticatedFailure, requireCapability } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { type MailingContext, mailingMutation } from '../../platform/http/mailing-mutation.ts';
import { INVITATION_LIMITS } from './invitation-limits.ts';
import { findCurrentRole } from './staff.sql.ts';

/** Wraps a handler that changes staff. Locks the company and then checks the caller's role again, in case the role has just changed. */
export function staffMutation<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: MailingContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return mailingMutation<Options, Result>(INVITATION_LIMITS, async (scope, options) => {
    await lockAndReauthorize(scope);
    return work(scope, options);
  });
}

export async function lockAndReauthorize(scope: TenantScope): Promise<void> {
  await lockCompany(scope, scope.companyId);
  const role = await findCurrentRole(scope);
  if (!role) throw createUnauthenticatedFailure();
  requireCapability(role, 'staff.manage');
}
