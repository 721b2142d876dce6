import { and, isNotNull, isNull } from 'drizzle-orm';
import type pg from 'pg';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';

export interface CompanyState {
  readonly company_name: string | null;
  readonly email: string | null;
  readonly timezone: string | null;
  readonly deletes_at: string | null;
}

export async function findCompanyState(scope: TenantScope): Promise<CompanyState | null> {
  const { company_name, email, timezone, deletes_at } = companies;
  const [company] = await scope.db.select({ company_name, email, timezone, deletes_at }).from(companies).where(inCompany(scope, companies));
  return company ?? null;
}

/** Closes the company until it is deleted at `deletesAt`. Returns false if it is closed already. */
export async function closeCompany(scope: TenantScope, deletesAt: string): Promise<boolean> {
  const closed = await scope.db
    .update(companies)
    .set({ deletes_at: deletesAt })
    .where(and(inCompany(scope, companies), isNull(companies.deletes_at)))
    .returning({ id: companies.company_id });
  return closed.length > 0;
}

/** Opens a closed company again. Returns false if it is open already or has been deleted. */
export async function reopenCompany(scope: TenantScope): Promise<boolean> {
  const opened = await scope.db
    .update(companies)
    .set({ deletes_at: null })
    .where(and(inCompany(scope, companies), isNotNull(companies.deletes_at)))
    .returning({ id: companies.company_id });
  return opened.length > 0;
}

/** Lists the addresses that the company's admins sign in with. */
export async function listAdminEmails(pool: pg.Pool, companyId: string): Promise<string[]> {
  const { rows } = await pool.query<{ email: string }>(
    `select u.email from staff_members m join users u on u.id = m.profile_id where m.company_id = $1 and m.role = 'admin' order by u.email`,
    [companyId],
  );
  return rows.map(({ email }) => email);
}
