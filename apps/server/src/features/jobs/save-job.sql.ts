import { noJobNumberLeft } from '@callout/contract/jobs';
import { JOB_NUMBERS_PER_MONTH, jobNumber } from '@callout/domain/jobs/job';
import { searchText, sortKey } from '@callout/domain/search/search-text';
import { localDate } from '@callout/domain/time/zoned-time';
import { and, eq, inArray } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { userIdOf } from '../../platform/db/actor.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { categories } from '../categories/categories.table.ts';
import { readTimezone } from '../company/company.sql.ts';
import { customers } from '../customers/customers.table.ts';
import { job_categories, job_counters, jobs } from './jobs.table.ts';

/** Sort and search keys of what a person types. */
export function keysOf({ title, description }: { title: string; description: string }, number: string) {
  return { title_key: sortKey(title), search_text: searchText([title, number, description]) };
}

interface References {
  readonly customer_id?: string;
  readonly staff_id: string;
  readonly category_ids: readonly string[];
}

/**
 * Refuses what refers to a record that is not there. The locks keep those records as they are until the job is stored: taken in this order
 * and before the job's own, so that a deletion, which locks the deleted record and then its jobs, cannot deadlock with it.
 */
export async function lockReferences(scope: TenantScope, { customer_id, staff_id, category_ids }: References): Promise<void> {
  const require = async (table: ReferencedTable, ids: readonly string[], field: string, what: string, lock: 'share' | 'no key update') => {
    if (ids.length === 0) return;
    const found = await scope.db
      .select({ id: table.id })
      .from(table)
      .where(and(inCompany(scope, table), inArray(table.id, [...ids])))
      .orderBy(table.id)
      .for(lock);
    if (found.length < ids.length) throw goneReference(field, what);
  };
  // The customer is changed as well: two shared locks that both want to change it would deadlock.
  await require(customers, customer_id === undefined ? [] : [customer_id], 'customer_id', 'customer', 'no key update');
  await require(staff_members, [staff_id], 'staff_id', 'staff member', 'share');
  await require(categories, category_ids, 'category_ids', 'category', 'share');
}

type ReferencedTable = typeof customers | typeof staff_members | typeof categories;

/** What was chosen has been deleted since the form was opened, or never was of this company. */
export const goneReference = (field: string, what: string) =>
  invalidInput({ [field]: `This ${what} no longer exists. Please choose another one.` });

/**
 * Locks the company's numbers of this month until the transaction ends and returns a function that takes the next one. What was read after
 * the lock still holds when the number is taken.
 */
export async function lockJobNumbers(scope: TenantScope): Promise<() => Promise<string>> {
  const today = localDate(scope.now, await readTimezone(scope));
  const month = today.slice(0, 7);
  const [counter] = await scope.db
    .insert(job_counters)
    .values({ company_id: scope.companyId, month, last: 0 })
    .onConflictDoUpdate({ target: [job_counters.company_id, job_counters.month], set: { last: job_counters.last } })
    .returning({ last: job_counters.last });
  const next = (counter?.last ?? 0) + 1;
  return async () => {
    if (next >= JOB_NUMBERS_PER_MONTH) throw failureOf(noJobNumberLeft);
    await scope.db
      .update(job_counters)
      .set({ last: next })
      .where(and(inCompany(scope, job_counters), eq(job_counters.month, month)));
    return jobNumber(today, next);
  };
}

/** Without an author it is the caller's. */
type NewJobRow = Omit<typeof jobs.$inferInsert, 'company_id' | 'created_at' | 'updated_at' | 'version'>;

/** False when the id is taken. */
export async function insertJob(scope: TenantScope, row: NewJobRow): Promise<boolean> {
  const stamps = { company_id: scope.companyId, created_at: scope.now, updated_at: scope.now, version: 1 };
  const inserted = await scope.db
    .insert(jobs)
    .values({ user_id: userIdOf(scope.actor), ...row, ...stamps })
    .onConflictDoNothing({ target: [jobs.company_id, jobs.id] })
    .returning({ id: jobs.id });
  return inserted.length > 0;
}

/** The login of a staff member, when they have one. */
export async function readLogin(scope: TenantScope, staffId: string): Promise<string | null> {
  const [member] = await scope.db
    .select({ profile_id: staff_members.profile_id })
    .from(staff_members)
    .where(inCompany(scope, staff_members, staffId));
  return member?.profile_id ?? null;
}

/** Replaces the categories of a job; the first one is its main category. */
export async function storeCategories(scope: TenantScope, jobId: string, categoryIds: readonly string[]): Promise<void> {
  await scope.db.delete(job_categories).where(and(eq(job_categories.company_id, scope.companyId), eq(job_categories.job_id, jobId)));
  if (categoryIds.length === 0) return;
  await scope.db
    .insert(job_categories)
    .values(categoryIds.map((category_id, position) => ({ company_id: scope.companyId, job_id: jobId, category_id, position })));
}

export async function readCustomerAddress(scope: TenantScope, customerId: string): Promise<string | null> {
  const [customer] = await scope.db
    .select({ address: customers.address })
    .from(customers)
    .where(inCompany(scope, customers, customerId));
  return customer?.address ?? null;
}
