import { idTakenError } from '@callout/contract/errors';
import { jobNumbersExhaustedError } from '@callout/contract/jobs';
import { formatJobNumber, JOB_NUMBERS_PER_MONTH } from '@callout/domain/jobs/job';
import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { findOrCreatePublicToken } from '../../platform/auth/public-links.sql.ts';
import { getUserId } from '../../platform/db/actor.ts';
import { createTransactionConflict } from '../../platform/db/database-errors.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { files } from '../../platform/files/files.table.ts';
import { categories } from '../categories/categories.table.ts';
import { readPriceTerms, readTimezone } from '../company/company.sql.ts';
import { customers } from '../customers/customers.table.ts';
import { type CopiedJobLine, insertCopiedLines } from './job-lines.sql.ts';
import { findJob, type StoredJob } from './jobs.sql.ts';
import { job_categories, job_comments, job_counters, jobs } from './jobs.table.ts';

export function buildJobSearchKeys({ title, description }: { title: string; description: string }, number: string) {
  return { title_key: buildSortKey(title), search_text: buildSearchText([title, number, description]) };
}

interface JobReferences {
  readonly customer_id?: string | null;
  readonly staff_id: string | null;
  readonly category_ids: readonly string[];
}

/**
 * Throws if a referenced record doesn't exist, and prevents its deletion until the transaction ends. Must be called before locking the job:
 * a deletion locks the deleted record first and then its jobs, so the opposite order could deadlock.
 */
export async function lockReferencedRecords(scope: TenantScope, { customer_id, staff_id, category_ids }: JobReferences): Promise<void> {
  const lockRows = async (table: ReferencedTable, ids: readonly string[], field: string, noun: string, mode: 'share' | 'no key update') => {
    if (ids.length === 0) return;
    const found = await scope.db
      .select({ id: table.id })
      .from(table)
      .where(and(inCompany(scope, table), inArray(table.id, [...ids])))
      .orderBy(table.id)
      .for(mode);
    if (found.length < ids.length) throw createMissingReferenceFailure(field, noun);
  };
  // A shared lock isn't enough: this transaction later updates the customer, so two transactions that share the lock would deadlock.
  await lockRows(customers, customer_id ? [customer_id] : [], 'customer_id', 'customer', 'no key update');
  await lockRows(staff_members, staff_id ? [staff_id] : [], 'staff_id', 'staff member', 'share');
  await lockRows(categories, category_ids, 'category_ids', 'category', 'share');
}

type ReferencedTable = typeof customers | typeof staff_members | typeof categories;

/** Creates the error for a record that belongs to another company or was deleted after the form was opened. */
export const createMissingReferenceFailure = (field: string, noun: string) =>
  createInvalidInputFailure({ [field]: `This ${noun} no longer exists. Please choose another one.` });

/** Returns the customer that an update gives to a record without one, or null. Throws if the record has another customer. */
export function getGivenCustomerId(record: { readonly customer_id: string | null }, customerId: string | null | undefined): string | null {
  if (!customerId || record.customer_id === customerId) return null;
  if (record.customer_id !== null) throw createInvalidInputFailure({ customer_id: 'The customer can no longer be changed.' });
  return customerId;
}

/** Files of comments name the customer of their job. A trigger copies it when a file's owner is set. */
export async function updateCustomerOfFiles(scope: TenantScope, jobId: string): Promise<void> {
  const comments = sql`(select ${job_comments.id} from ${job_comments}
    where ${job_comments.company_id} = ${scope.companyId} and ${job_comments.job_id} = ${jobId})`;
  await scope.db
    .update(files)
    .set({ owner_id: sql`${files.owner_id}` })
    .where(and(inCompany(scope, files), eq(files.owner_kind, 'job_comment'), sql`${files.owner_id} in ${comments}`));
}

/** Takes the month's next number. Until the transaction ends, no other job of the company gets one, so numbers have no gaps. */
async function takeNextJobNumber(scope: TenantScope): Promise<string> {
  const today = toLocalDate(scope.now, await readTimezone(scope));
  const [counter] = await scope.db
    .insert(job_counters)
    .values({ company_id: scope.companyId, month: today.slice(0, 7), last: 1 })
    .onConflictDoUpdate({ target: [job_counters.company_id, job_counters.month], set: { last: sql`${job_counters.last} + 1` } })
    .returning({ last: job_counters.last });
  if (!counter) throw new Error('The job counter returned no number');
  if (counter.last >= JOB_NUMBERS_PER_MONTH) throw toFailure(jobNumbersExhaustedError);
  return formatJobNumber(today, counter.last);
}

/** `user_id` defaults to the signed-in user. A job from a quote names the quote's tax rate and currency. */
type NewJobRow = Omit<
  typeof jobs.$inferInsert,
  | 'company_id'
  | 'created_at'
  | 'updated_at'
  | 'version'
  | 'job_number'
  | 'title_key'
  | 'search_text'
  | 'subtotal'
  | 'tax_amount'
  | 'total_amount'
  | 'priced_rate'
>;

/**
 * Inserts the job with the next number, its lines and totals. Also creates the link to its public invoice page, so that reads never have to.
 * Returns the number. If a concurrent request has taken the id, the whole command is retried and finds that job. The caller must have locked
 * the records that the job and its lines refer to.
 */
export async function insertJob(scope: TenantScope, row: NewJobRow, lines: readonly CopiedJobLine[] = []): Promise<string> {
  const { tax_rate: companyRate, currency: companyCurrency } = await readPriceTerms(scope);
  const { currency = companyCurrency, tax_rate = null, fixed_amount = null } = row;
  const priced_rate = tax_rate ?? companyRate;
  const totals = calculateJobTotals({ ...row, fixed_amount }, lines, priced_rate);
  const job_number = await takeNextJobNumber(scope);
  const stamps = { company_id: scope.companyId, created_at: scope.now, updated_at: scope.now, version: 1 };
  const keys = buildJobSearchKeys(row, job_number);
  const inserted = await scope.db
    .insert(jobs)
    .values({ user_id: getUserId(scope.actor), ...row, ...keys, job_number, ...totals, priced_rate, currency, ...stamps })
    .onConflictDoNothing({ target: [jobs.company_id, jobs.id] })
    .returning({ id: jobs.id });
  if (inserted.length === 0) throw createTransactionConflict('A concurrent request has created this job');
  await insertCopiedLines(scope, row.id, lines);
  await findOrCreatePublicToken(scope, { kind: 'invoice', id: row.id });
  return job_number;
}

/** Returns the copy that an earlier request created under this id, or null. Throws if the id is taken by another job. */
export async function findJobCopy(scope: TenantScope, id: string, originalId: string): Promise<StoredJob | null> {
  const [job] = await scope.db
    .select({ copied_from: jobs.copied_from })
    .from(jobs)
    .where(inCompany(scope, jobs, id));
  if (!job) return null;
  if (job.copied_from !== originalId) throw toFailure(idTakenError);
  return findJob(scope, id);
}

/** Returns null if the staff member has no login. */
export async function findStaffUserId(scope: TenantScope, staffId: string): Promise<string | null> {
  const [member] = await scope.db
    .select({ profile_id: staff_members.profile_id })
    .from(staff_members)
    .where(inCompany(scope, staff_members, staffId));
  return member?.profile_id ?? null;
}

/** Replaces the job's categories. The first id becomes the main category. */
export async function replaceJobCategories(scope: TenantScope, jobId: string, categoryIds: readonly string[]): Promise<void> {
  await scope.db.delete(job_categories).where(and(eq(job_categories.company_id, scope.companyId), eq(job_categories.job_id, jobId)));
  if (categoryIds.length === 0) return;
  await scope.db
    .insert(job_categories)
    .values(categoryIds.map((category_id, position) => ({ company_id: scope.companyId, job_id: jobId, category_id, position })));
}

export async function findCustomerAddress(scope: TenantScope, customerId: string): Promise<string | null> {
  const [customer] = await scope.db
    .select({ address: customers.address })
    .from(customers)
    .where(inCompany(scope, customers, customerId));
  return customer?.address ?? null;
}
