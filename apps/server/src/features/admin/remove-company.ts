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
  extendTimeouts,
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
    await extendTimeouts(client);
    const label = await lockCompanyAndReadLabel(client, companyId);
    if (confirmation !== label) throw toFailure(companyNameMismatchError);
    await deleteLockedCompany(client, companyId, config.adminEmail);
  });
}

/** Deletes the closed companies that no one has reopened in time, like `removeCompany`. */
export async function removeClosedCompanies(pool: pg.Pool, adminEmail: string | undefined): Promise<void> {
  await removeEach(pool, await listCompaniesToDelete(pool), async (client, companyId) => {
    // An admin may have undone the deletion since the company was listed, so check again under the lock.
    if (await lockCompanyToDelete(client, companyId)) await deleteLockedCompany(client, companyId, adminEmail);
  });
}

/** Removes each company in its own transaction. One that can't be removed doesn't keep the others: its error is thrown at the end. */
async function removeEach(
  pool: pg.Pool,
  companyIds: readonly string[],
  remove: (client: pg.PoolClient, companyId: string) => Promise<void>,
): Promise<void> {
  const failed = new Map<string, unknown>();
  for (const companyId of companyIds) {
    try {
      await runInTransaction(pool, async (client) => {
        await extendTimeouts(client);
        await remove(client, companyId);
      });
    } catch (error) {
      failed.set(companyId, error);
    }
  }
  const [cause] = failed.values();
  if (failed.size > 0) throw new Error(`Could not remove these companies: ${[...failed.keys()].join(', ')}`, { cause });
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
  await removeEach(pool, await listAbandonedCompanies(pool), async (client, companyId) => {
    // The company may have been used since it was listed, so check again under the lock.
    if (!(await lockAbandonedCompany(client, companyId))) return;
    await deleteAbandonedCompany(client, companyId);
    await removeCompanyFilesTask.queue(client, { company_id: companyId });
  });
}
