import { companyNameMismatchError } from '@callout/contract/admin';
import type pg from 'pg';
import { runInTransaction } from '../../platform/db/transaction.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { removeCompanyFilesTask } from '../files/remove-files.ts';
import { deleteAbandonedCompany, listAbandonedCompanies, lockAbandonedCompany } from './abandoned-companies.sql.ts';
import {
  deleteCompany,
  deleteCompanyMails,
  deleteMemberSessions,
  extendStatementTimeout,
  lockCompanyAndReadLabel,
  lockMembers,
  purgeLooseReferences,
} from './company-removal.sql.ts';

/** Deletes the company, all its data and its members' logins in one transaction. The company's files are deleted after the commit. */
export function removeCompany({ pools }: Pick<Platform, 'pools'>, companyId: string, confirmation: string): Promise<void> {
  return runInTransaction(pools.system, async (client) => {
    await extendStatementTimeout(client);
    const label = await lockCompanyAndReadLabel(client, companyId);
    if (confirmation !== label.trim()) throw toFailure(companyNameMismatchError);
    const members = await lockMembers(client, companyId);
    const sessions = await deleteMemberSessions(client, members);
    const mails = await deleteCompanyMails(client, companyId, members);
    await deleteCompany(client, companyId, members);
    await purgeLooseReferences(client, [companyId, ...members.userIds, ...members.emails, ...mails]);
    await publishEndedSessions(client, sessions);
    await removeCompanyFilesTask.queue(client, { company_id: companyId });
  });
}

/** Deletes abandoned companies that never finished onboarding, with all their data. Their members keep their logins. */
export async function removeAbandonedCompanies(pool: pg.Pool): Promise<void> {
  for (const companyId of await listAbandonedCompanies(pool)) {
    await runInTransaction(pool, async (client) => {
      await extendStatementTimeout(client);
      // The company may have been used since it was listed, so check again under the lock.
      if (!(await lockAbandonedCompany(client, companyId))) return;
      await deleteAbandonedCompany(client, companyId);
      await removeCompanyFilesTask.queue(client, { company_id: companyId });
    });
  }
}
