import { COMPANY_DELETION_DAYS, companyNameMismatchError } from '@callout/contract/company';
import { formatDate } from '@callout/domain/time/date-format';
import { DAY_MS } from '@callout/domain/time/time-units';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import { createUnauthenticatedFailure, toFailure } from '../../platform/errors/failures.ts';
import type { MemberContext } from '../../platform/http/call-context.ts';
import type { RateLimit } from '../../platform/limits/rate-limit.sql.ts';
import { enforceRateLimit } from '../../platform/limits/rate-limit.ts';
import { publishChange } from '../../platform/live/live.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { stopAllTimers } from '../timer/track-time.ts';
import { buildCompanyClosedMail, buildCompanyReopenedMail } from './company-closing.mail.ts';
import { closeCompany, findCompanyState, listAdminEmails, reopenCompany } from './company-closing.sql.ts';

/** Every deletion and every undo emails all admins. */
const DELETION_LIMIT: RateLimit = { attempts: 20, seconds: 24 * 60 * 60 };

/** Closes the company until its deletion, stops its timers, and tells all admins. Idempotent: returns the day of a deletion that was requested before. */
export async function requestCompanyDeletion(context: MemberContext, confirmation: string): Promise<string> {
  const { platform, tenant, actor } = context;
  const { app, system } = platform.pools;
  await enforceRateLimit(system, `company-deletion ${tenant.companyId}`, DELETION_LIMIT);
  const admins = await listAdminEmails(system, tenant.companyId);
  return runTenantTransaction(app, tenant, async (scope) => {
    await lockCompany(scope, scope.companyId);
    const company = await findCompanyState(scope);
    if (!company) throw createUnauthenticatedFailure();
    const label = company.company_name?.trim() || company.email || scope.companyId;
    if (confirmation !== label) throw toFailure(companyNameMismatchError);
    if (company.deletes_at !== null) return company.deletes_at;
    const deletesAt = new Date(Date.parse(scope.now) + COMPANY_DELETION_DAYS * DAY_MS).toISOString();
    await closeCompany(scope, deletesAt);
    await stopAllTimers(scope, scope.now);
    const day = formatDate(deletesAt, company.timezone ?? 'UTC');
    const shared = { company_name: company.company_name, actor: actor.email, appUrl: platform.appUrl, day };
    for (const recipient of admins) await queueMail(scope, buildCompanyClosedMail({ ...shared, recipient }));
    await publishChange(scope, 'me');
    return deletesAt;
  });
}

/** Opens the company again, and tells all admins. Does nothing if it is open already. */
export async function cancelCompanyDeletion(context: MemberContext): Promise<void> {
  const { platform, tenant, actor } = context;
  const { app, system } = platform.pools;
  await enforceRateLimit(system, `company-deletion ${tenant.companyId}`, DELETION_LIMIT);
  const admins = await listAdminEmails(system, tenant.companyId);
  await runTenantTransaction(app, tenant, async (scope) => {
    // The lock waits for a deletion in progress, after which neither the company nor the session exists.
    if (!(await lockCompany(scope, scope.companyId))) throw createUnauthenticatedFailure();
    const company = await findCompanyState(scope);
    if (!company?.deletes_at || !(await reopenCompany(scope))) return;
    // A timer that was starting while the company was closed has run since then.
    await stopAllTimers(scope, new Date(Date.parse(company.deletes_at) - COMPANY_DELETION_DAYS * DAY_MS).toISOString());
    const shared = { company_name: company.company_name, actor: actor.email, appUrl: platform.appUrl };
    for (const recipient of admins) await queueMail(scope, buildCompanyReopenedMail({ ...shared, recipient }));
    await publishChange(scope, 'me');
  });
}
