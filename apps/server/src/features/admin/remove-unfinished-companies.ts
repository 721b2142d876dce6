import type pg from 'pg';
import { inTransaction } from '../../platform/db/transaction.ts';
import { removeCompanyFiles } from '../files/remove-files.ts';
import { allowTime } from './company-removal.sql.ts';
import { deleteUnfinishedCompany, holdUnfinishedCompany, listUnfinishedCompanies } from './unfinished-companies.sql.ts';

/** Companies that somebody started and never set up, with everything they own. Their people keep their logins and may start again. */
export async function removeUnfinishedCompanies(pool: pg.Pool): Promise<void> {
  for (const companyId of await listUnfinishedCompanies(pool)) {
    await inTransaction(pool, async (client) => {
      await allowTime(client);
      // Somebody may have come back to it since it was listed.
      if (!(await holdUnfinishedCompany(client, companyId))) return;
      await deleteUnfinishedCompany(client, companyId);
      await removeCompanyFiles.later(client, { company_id: companyId });
    });
  }
}
