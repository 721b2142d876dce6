import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { COMPANY_LABEL } from './registered-companies.sql.ts';

export interface CompanyState {
  readonly company_name: string | null;
  /** The text to type to confirm the deletion. */
  readonly label: string;
  readonly timezone: string | null;
  readonly deletes_at: string | null;
}

/** Locks the company, so that it can't be closed, reopened or deleted concurrently. Members can still add records. */
export async function lockCompanyState(scope: TenantScope): Promise<CompanyState | null> {
  const labeled = alias(companies, 'c');
  const { company_name, timezone, deletes_at } = labeled;
  const [company] = await scope.db
    .select({ company_name, label: sql<string>`${sql.raw(COMPANY_LABEL)}`, timezone, deletes_at })
    .from(labeled)
    .where(eq(labeled.company_id, scope.companyId))
    .for('no key update');
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

export interface AdminAddress {
  readonly email: string;
  readonly isConfirmed: boolean;
}

/** Lists the addresses that the company's admins sign in with. */
export async function listAdminAddresses(pool: pg.Pool, companyId: string): Promise<AdminAddress[]> {
  const { rows } = await pool.query<AdminAddress>(
    `select u.email, u.email_verified as "isConfirmed" from staff_members m join users u on u.id = m.profile_id where m.company_id = $1 and m.role = 'admin' order by u.email`,
    [companyId],
  );
  return rows;
}
