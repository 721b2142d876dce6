import { companyNameMismatchError } from '@callout/contract/company';
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
  listCompaniesToDelete,
  lockCompanyAndReadLabel,
  lockCompanyToDelete,
  lockMembers,
  purgeLooseReferences,
} from './company-removal.sql.ts';

/** Deletes the company, all its data and its members' logins in one transaction. The company's files are deleted after the commit. */
export function removeCompany(
  { pools, config }: Pick<Platform, 'pools' | 'config'>,
  companyId: string,
  confirmation: string,
): Promise<void> {
  return runInTransaction(pools.system, async (client) => {
    await extendStatementTimeout(client);
    const label = await lockCompanyAndReadLabel(client, companyId);
    if (confirmation !== label.trim()) throw toFailure(companyNameMismatchError);
    await deleteLockedCompany(client, companyId, config.adminEmail);
  });
}

/** Deletes the closed companies that no one has reopened in time, like `removeCompany`. */
export async function removeClosedCompanies(pool: pg.Pool, adminEmail: string | undefined): Promise<void> {
  for (const companyId of await listCompaniesToDelete(pool)) {
    await runInTransaction(pool, async (client) => {
      await extendStatementTimeout(client);
      // An admin may have undone the deletion since the company was listed, so check again under the lock.
      if (await lockCompanyToDelete(client, companyId)) await deleteLockedCompany(client, companyId, adminEmail);
    });
  }
}

/** Deletes a company that the caller has locked. The system administrator's login is only detached, because it runs the server. */
async function deleteLockedCompany(client: pg.PoolClient, companyId: string, adminEmail: string | undefined): Promise<void> {
  const members = await lockMembers(client, companyId, adminEmail);
  const sessions = await deleteMemberSessions(client, members);
  const mails = await deleteCompanyMails(client, companyId, members);
  await deleteCompany(client, companyId, members);
  await purgeLooseReferences(client, [companyId, ...members.userIds, ...members.emails, ...mails]);
  await publishEndedSessions(client, sessions);
  await removeCompanyFilesTask.queue(client, { company_id: companyId });
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
