import { ADMIN_PAGE_SIZE, type RegisteredCompany } from '@callout/contract/admin';
import type pg from 'pg';
import { isInstantKey, pageOf, readCursor } from '../../platform/db/cursor.ts';

/** The company's name here, also typed to confirm its deletion; it may have no name yet. */
export const LABEL = `coalesce(nullif(trim(c.company_name), ''), c.email, c.company_id::text)`;

interface CompanyRow extends Omit<RegisteredCompany, 'created_at' | 'last_active' | 'status'> {
  readonly created_at: Date;
  readonly last_active: Date;
  readonly onboarding_completed: boolean;
  readonly sort_keys: string;
}

/** An unfinished company is listed while it has a member. */
const SHOWN = `(c.onboarding_completed or exists (
    select from staff_members m where m.company_id = c.company_id and m.profile_id is not null))`;

/** Each count reads the rows of one listed company. */
const COUNTS = `
  (select count(*)::int from staff_members t where t.company_id = c.company_id) as staff,
  (select count(*)::int from jobs t where t.company_id = c.company_id) as jobs,
  (select count(*)::int from customers t where t.company_id = c.company_id) as customers`;

const ORDER = 'companies';

export async function listCompanies(pool: pg.Pool, cursor: string | undefined) {
  const after = cursor === undefined ? undefined : readCursor(cursor, ORDER, [isInstantKey]);
  const { rows } = await pool.query<CompanyRow>(
    `select c.company_id as id, ${LABEL} as label, c.email, c.created_at, c.last_active, c.onboarding_completed,
        json_build_array(c.created_at::text)::text as sort_keys, ${COUNTS}
      from companies c
      where ${SHOWN} ${after ? 'and (c.created_at, c.company_id) < ($2::timestamptz, $3::uuid)' : ''}
      order by c.created_at desc, c.company_id desc
      limit $1`,
    [ADMIN_PAGE_SIZE + 1, ...(after ? [...after.keys, after.id] : [])],
  );
  return pageOf(rows.map(presented), ADMIN_PAGE_SIZE, ORDER);
}

function presented({ onboarding_completed, created_at, last_active, ...row }: CompanyRow): RegisteredCompany & { sort_keys: string } {
  return {
    ...row,
    created_at: created_at.toISOString(),
    last_active: last_active.toISOString(),
    status: onboarding_completed ? 'Active' : 'Onboarding',
  };
}
