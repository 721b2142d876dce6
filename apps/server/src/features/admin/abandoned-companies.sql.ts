import type pg from 'pg';

const ABANDONED_AFTER_DAYS = 30;

const IS_ABANDONED = `c.last_active < now() - interval '${ABANDONED_AFTER_DAYS} days'`;

export async function listAbandonedCompanies(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ company_id: string }>(
    `select c.company_id from unfinished_companies c where ${IS_ABANDONED} order by c.last_active`,
  );
  return rows.map(({ company_id }) => company_id);
}

/** Locks the company so that nothing can be added to it. Returns false if the company is no longer abandoned. */
export async function lockAbandonedCompany(client: pg.PoolClient, companyId: string): Promise<boolean> {
  await client.query('select from companies where company_id = $1 for update', [companyId]);
  // Check in a second statement, because the first can't see changes that were committed while it waited for the lock.
  const { rows } = await client.query(`select from unfinished_companies c where c.company_id = $1 and ${IS_ABANDONED}`, [companyId]);
  return rows.length > 0;
}

export async function deleteAbandonedCompany(client: pg.PoolClient, companyId: string): Promise<void> {
  await client.query('select delete_unfinished_company($1)', [companyId]);
}
