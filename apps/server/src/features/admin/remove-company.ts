import { notConfirmed } from '@callout/contract/admin';
import type pg from 'pg';
import { inTransaction } from '../../platform/db/transaction.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { removeCompanyFiles } from '../files/remove-files.ts';
import {
  deleteCompany,
  deleteMails,
  deleteSessions,
  extendStatementTimeout,
  lockForRemoval,
  lockMembers,
  purgeTraces,
} from './company-removal.sql.ts';
import { deleteUnfinishedCompany, listUnfinishedCompanies, lockUnfinishedCompany } from './unfinished-companies.sql.ts';

/** Deletes the company, everything it owns and its members' logins in one transaction; its files after the commit. */
export function removeCompany({ pools }: Pick<Platform, 'pools'>, companyId: string, confirmation: string): Promise<void> {
  return inTransaction(pools.system, async (client) => {
    await extendStatementTimeout(client);
    const label = await lockForRemoval(client, companyId);
    if (confirmation !== label.trim()) throw failureOf(notConfirmed);
    const members = await lockMembers(client, companyId);
    const sessions = await deleteSessions(client, members);
    const mails = await deleteMails(client, companyId, members);
    await deleteCompany(client, companyId, members);
    await purgeTraces(client, [companyId, ...members.userIds, ...members.emails, ...mails]);
    await publishEndedSessions(client, sessions);
    await removeCompanyFiles.later(client, { company_id: companyId });
  });
}

/** Deletes companies that were never set up, with everything they own. Their members keep their logins and can start again. */
export async function removeUnfinishedCompanies(pool: pg.Pool): Promise<void> {
  for (const companyId of await listUnfinishedCompanies(pool)) {
    await inTransaction(pool, async (client) => {
      await extendStatementTimeout(client);
      // It may have been used since it was listed.
      if (!(await lockUnfinishedCompany(client, companyId))) return;
      await deleteUnfinishedCompany(client, companyId);
      await removeCompanyFiles.later(client, { company_id: companyId });
    });
  }
}
