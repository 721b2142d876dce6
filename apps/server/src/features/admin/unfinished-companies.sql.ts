import type pg from 'pg';

const DAYS = 30;

/** Not used for a month. */
const ABANDONED = `c.last_active < now() - interval '${DAYS} days'`;

export async function listUnfinishedCompanies(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ company_id: string }>(
    `select c.company_id from unfinished_companies c where ${ABANDONED} order by c.last_active`,
  );
  return rows.map(({ company_id }) => company_id);
}

/** Locks it, so that nothing can be added; false when it is no longer unfinished. */
export async function lockUnfinishedCompany(client: pg.PoolClient, companyId: string): Promise<boolean> {
  await client.query('select from companies where company_id = $1 for update', [companyId]);
  // A separate statement, so that it sees what others committed.
  const { rows } = await client.query(`select from unfinished_companies c where c.company_id = $1 and ${ABANDONED}`, [companyId]);
  return rows.length > 0;
}

export async function deleteUnfinishedCompany(client: pg.PoolClient, companyId: string): Promise<void> {
  await client.query('select delete_unfinished_company($1)', [companyId]);
}
