import { COMPANY_DELETION_DAYS, companyNameMismatchError } from '@callout/contract/company';
import { formatDate } from '@callout/domain/time/date-format';
import { DAY_MS } from '@callout/domain/time/time-units';
import { runTenantTransaction, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { createUnauthenticatedFailure, toFailure } from '../../platform/errors/failures.ts';
import type { MemberContext } from '../../platform/http/call-context.ts';
import type { RateLimit } from '../../platform/limits/rate-limit.sql.ts';
import { enforceRateLimit } from '../../platform/limits/rate-limit.ts';
import { publishChange } from '../../platform/live/live.ts';
import type { Mail } from '../../platform/mail/mail-layout.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { countUnconfirmedMail } from '../auth/unconfirmed-mail-limits.ts';
import { stopAllTimers } from '../timer/track-time.ts';
import { buildCompanyClosedMail, buildCompanyReopenedMail } from './company-closing.mail.ts';
import { type AdminAddress, closeCompany, listAdminAddresses, lockCompanyState, reopenCompany } from './company-closing.sql.ts';

/** Every deletion and its undo email all admins. The undo has no limit of its own, so that no one can keep others from it. */
const DELETION_LIMIT: RateLimit = { attempts: 20, seconds: 24 * 60 * 60 };

/** Closes the company until its deletion, stops its timers, and tells all admins. Idempotent: returns the day of a deletion that was requested before. */
export async function requestCompanyDeletion(context: MemberContext, confirmation: string): Promise<string> {
  const { platform, tenant, actor } = context;
  const { app, system } = platform.pools;
  const admins = await listAdminAddresses(system, tenant.companyId);
  return runTenantTransaction(app, tenant, async (scope) => {
    const company = await lockCompanyState(scope);
    if (!company) throw createUnauthenticatedFailure();
    if (confirmation !== company.label) throw toFailure(companyNameMismatchError);
    if (company.deletes_at !== null) return company.deletes_at;
    await enforceRateLimit(system, `company-deletion ${tenant.companyId}`, DELETION_LIMIT);
    const deletesAt = new Date(Date.parse(scope.now) + COMPANY_DELETION_DAYS * DAY_MS).toISOString();
    await closeCompany(scope, deletesAt);
    await stopAllTimers(scope, scope.now);
    const day = formatDate(deletesAt, company.timezone ?? 'UTC');
    const shared = { company_name: company.company_name, actor: actor.email, appUrl: platform.appUrl, day };
    await mailAdmins(scope, context, admins, (recipient) => buildCompanyClosedMail({ ...shared, recipient }));
    await publishChange(scope, 'me');
    return deletesAt;
  });
}

/** Opens the company again, and tells all admins. Does nothing if it is open already. */
export async function cancelCompanyDeletion(context: MemberContext): Promise<void> {
  const { platform, tenant, actor } = context;
  const { app, system } = platform.pools;
  const admins = await listAdminAddresses(system, tenant.companyId);
  await runTenantTransaction(app, tenant, async (scope) => {
    const company = await lockCompanyState(scope);
    // The lock waits for a deletion in progress, after which neither the company nor the session exists.
    if (!company) throw createUnauthenticatedFailure();
    if (!company.deletes_at || !(await reopenCompany(scope))) return;
    // A timer that was starting while the company was closed has run since then.
    await stopAllTimers(scope, new Date(Date.parse(company.deletes_at) - COMPANY_DELETION_DAYS * DAY_MS).toISOString());
    const shared = { company_name: company.company_name, actor: actor.email, appUrl: platform.appUrl };
    await mailAdmins(scope, context, admins, (recipient) => buildCompanyReopenedMail({ ...shared, recipient }));
    await publishChange(scope, 'me');
  });
}

/** Emails all admins. An address that no one has confirmed gets nothing once too much was sent to its mailbox or from this network. */
async function mailAdmins(
  scope: TenantScope,
  context: MemberContext,
  admins: readonly AdminAddress[],
  buildMail: (recipient: string) => Mail,
): Promise<void> {
  for (const { email, isConfirmed } of admins) {
    if (isConfirmed || (await countUnconfirmedMail(context, email))) await queueMail(scope, buildMail(email));
  }
}
