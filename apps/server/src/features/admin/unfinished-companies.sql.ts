import type pg from 'pg';

const DAYS = 30;

/** Neither onboarding nor Settings was ever filled in, no customer was added, and nobody has used it for a month: nobody misses it. */
const UNFINISHED = `not c.onboarding_completed and c.company_name is null and c.last_active < now() - interval '${DAYS} days'
  and not exists (select from customers t where t.company_id = c.company_id)`;

export async function listUnfinishedCompanies(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ company_id: string }>(
    `select c.company_id from companies c where ${UNFINISHED} order by c.last_active`,
  );
  return rows.map(({ company_id }) => company_id);
}

/** Nobody adds anything to it any more; false when it is no longer unfinished. */
export async function holdUnfinishedCompany(client: pg.PoolClient, companyId: string): Promise<boolean> {
  await client.query('select from companies where company_id = $1 for update', [companyId]);
  // A statement of its own: only now is what others committed seen.
  const { rows } = await client.query(`select from companies c where c.company_id = $1 and ${UNFINISHED}`, [companyId]);
  return rows.length > 0;
}

export async function deleteUnfinishedCompany(client: pg.PoolClient, companyId: string): Promise<void> {
  await client.query('select delete_unfinished_company($1)', [companyId]);
}
