import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createUnauthenticatedFailure, requireCapability } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { staffLockingMutation } from '../../platform/http/calls.ts';
import { type MailingContext, mailingMutation } from '../../platform/http/mailing-mutation.ts';
import type { ManualMailLimits } from '../../platform/limits/mail-limits.ts';
import { findCurrentRole } from './staff.sql.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

const INVITATION_LIMITS: ManualMailLimits = {
  action: 'invite',
  /** More than any company needs in an hour, but too few to be useful for spam. */
  company: { attempts: 50, seconds: HOUR_SECONDS },
  network: { attempts: 100, seconds: DAY_SECONDS },
  /** Enough for the first email and a few resends in case it gets lost. */
  companyToRecipient: { attempts: 4, seconds: DAY_SECONDS },
  recipient: { attempts: 6, seconds: DAY_SECONDS },
  recipientLimitMessage: 'This person has been sent several invitations today. Please try again tomorrow.',
};

/** Wraps a handler that changes staff. Locks the company's staff first and then checks the caller's role again, in case the role has just changed. */
export function staffMutation<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: MailingContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  const authorizedWork: typeof work = async (scope, options) => {
    await reauthorize(scope);
    return work(scope, options);
  };
  return mailingMutation<Options, Result>(INVITATION_LIMITS, authorizedWork, staffLockingMutation);
}

/** Checks the caller's role again. The command must have locked the staff. */
export async function reauthorize(scope: TenantScope): Promise<void> {
  const role = await findCurrentRole(scope);
  if (!role) throw createUnauthenticatedFailure();
  requireCapability(role, 'staff.manage');
}
