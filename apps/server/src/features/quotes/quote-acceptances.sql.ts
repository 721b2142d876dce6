import { PublicQuoteDocument } from '@callout/contract/public-quotes';
import { ACTIVE_JOB_STATUSES } from '@callout/domain/jobs/job';
import { and, eq, inArray, isNull, lt, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { public_links, staff_members } from '../../platform/auth/auth.table.ts';
import { createTransactionConflict } from '../../platform/db/database-errors.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { findOwnedFile, reassignFiles, type StoredFile } from '../../platform/files/files.sql.ts';
import { parseFrozenDocument } from '../documents/freeze-document.ts';
import { jobs } from '../jobs/jobs.table.ts';
import { supplier_items } from '../suppliers/suppliers.table.ts';
import { isAcceptanceIntact, lockCustomer, lockQuote } from './quotes.sql.ts';
import { quote_acceptances, quote_items, quotes } from './quotes.table.ts';

/**
 * Locks the customer, the quote and its supplier items. To prevent deadlocks, the order is the same as when creating a job or deleting a
 * customer or item. Returns the quote's creator, or null if the quote doesn't exist.
 */
export async function lockQuoteForAnswer(scope: TenantScope, id: string): Promise<{ user_id: string | null } | null> {
  const [quote] = await scope.db
    .select({ customer_id: quotes.customer_id, user_id: quotes.user_id })
    .from(quotes)
    .where(inCompany(scope, quotes, id));
  if (!quote) return null;
  const { customer_id, user_id } = quote;
  // The result doesn't matter: if the customer was deleted, `customer_id` is null when the caller reads the locked quote.
  if (customer_id) await lockCustomer(scope, customer_id);
  const locked = await lockQuote(scope, id);
  if (!locked) return null;
  if (locked.customer_id !== null && locked.customer_id !== customer_id)
    throw createTransactionConflict("The quote's customer was changed while this request waited for the lock");
  const items = scope.db
    .select({ id: quote_items.supplier_item_id })
    .from(quote_items)
    .where(and(inCompany(scope, quote_items), eq(quote_items.quote_id, id)));
  await scope.db
    .select({ id: supplier_items.id })
    .from(supplier_items)
    .where(and(inCompany(scope, supplier_items), inArray(supplier_items.id, items)))
    .orderBy(supplier_items.id)
    .for('key share');
  return { user_id };
}

export interface StoredAcceptance {
  /** Null once the job is deleted. */
  readonly job_id: string | null;
  readonly job_number: string;
  readonly accepted_by: string;
  readonly by_customer: boolean;
  readonly accepted_at: string;
  /** Null if the stored record can't be read. */
  readonly copy: AcceptedQuoteCopy | null;
  /** False if the record or its row has been tampered with since acceptance. */
  readonly is_intact: boolean;
}

/** Frozen copy of the accepted quote. File ids are enough to identify the contents, because a stored file never changes. */
const AcceptedQuoteCopy = z.object({
  document: PublicQuoteDocument,
  files: z.array(z.object({ id: z.string(), file_name: z.string(), file_size: z.number(), file_type: z.string() })),
});
export type AcceptedQuoteCopy = z.infer<typeof AcceptedQuoteCopy>;

/** Finds the quote's acceptance, even if the quote has been deleted. */
export function findAcceptance(scope: TenantScope, quoteId: string): Promise<StoredAcceptance | null> {
  return findStoredAcceptance(scope, eq(quote_acceptances.quote_id, quoteId));
}

export function findJobAcceptance(scope: TenantScope, jobId: string): Promise<StoredAcceptance | null> {
  return findStoredAcceptance(scope, eq(quote_acceptances.job_id, jobId));
}

async function findStoredAcceptance(scope: TenantScope, condition: SQL): Promise<StoredAcceptance | null> {
  const { job_id, job_number, accepted_by, by_customer, accepted_at, record } = quote_acceptances;
  const [row] = await scope.db
    .select({ job_id, job_number, accepted_by, by_customer, accepted_at, record, is_intact: isAcceptanceIntact })
    .from(quote_acceptances)
    .where(and(inCompany(scope, quote_acceptances), condition));
  if (!row) return null;
  const { record: recordJson, ...acceptance } = row;
  return { ...acceptance, copy: parseFrozenDocument(AcceptedQuoteCopy, recordJson) };
}

/** Returns the token of the job's public invoice page, or null if the deposit is paid or the job is already invoiced or finished. */
export async function findDepositLinkToken(scope: TenantScope, jobId: string): Promise<string | null> {
  const isLink = and(
    eq(public_links.company_id, jobs.company_id),
    eq(public_links.record_kind, 'invoice'),
    eq(public_links.record_id, jobs.id),
    isNull(public_links.revoked_at),
  );
  const isUnpaid = and(lt(jobs.paid_amount, jobs.deposit_amount), isNull(jobs.billed_amount), inArray(jobs.status, ACTIVE_JOB_STATUSES));
  const [link] = await scope.db
    .select({ token: public_links.token })
    .from(jobs)
    .innerJoin(public_links, isLink)
    .where(and(inCompany(scope, jobs, jobId), isUnpaid));
  return link?.token ?? null;
}

type NewAcceptanceRow = Omit<typeof quote_acceptances.$inferInsert, 'company_id'>;

/** Throws if the quote is already accepted, because the quote id is the primary key. The whole transaction is then rolled back. */
export async function insertAcceptance(scope: TenantScope, acceptance: NewAcceptanceRow): Promise<void> {
  await scope.db.insert(quote_acceptances).values({ ...acceptance, company_id: scope.companyId });
}

/** Returns 'Someone' if the staff member has been deleted. */
export async function readMemberName(scope: TenantScope, staffId: string): Promise<string> {
  const [member] = await scope.db
    .select({ name: staff_members.name })
    .from(staff_members)
    .where(inCompany(scope, staff_members, staffId));
  return member?.name ?? 'Someone';
}

const getFileOwners = (id: string) => ({ quote: { kind: 'quote', id }, acceptance: { kind: 'quote_acceptance', id } }) as const;

/** Retains accepted files that are no longer on the quote, and moves re-added files back to it. Requires the quote's lock. */
export async function retainAcceptedFiles(scope: TenantScope, quoteId: string, fileIds: readonly string[]): Promise<void> {
  const found = await findAcceptance(scope, quoteId);
  if (!found) return;
  const { quote, acceptance } = getFileOwners(quoteId);
  await reassignFiles(scope, acceptance, quote, { ids: fileIds });
  // A damaged copy doesn't say which files were accepted, so all of the quote's files go to the acceptance.
  await reassignFiles(scope, quote, acceptance, { ids: found.copy?.files.map(({ id }) => id), except: fileIds });
}

/** Finds a file that the quote's public link may open. After acceptance, the link opens only the files that were accepted. */
export async function findPublicQuoteFile(scope: TenantScope, quoteId: string, id: string): Promise<StoredFile | null> {
  const accepted = await findAcceptance(scope, quoteId);
  const { quote, acceptance } = getFileOwners(quoteId);
  if (!accepted) return findOwnedFile(scope, quote, id);
  const listed = accepted.copy?.files.find((file) => file.id === id);
  const stored = listed && ((await findOwnedFile(scope, quote, id)) ?? (await findOwnedFile(scope, acceptance, id)));
  return stored ? { ...stored, file_name: listed.file_name } : null;
}

/** Everything that the public page shows, besides the company: the quote, its customer, its files and their thumbnails, and its acceptance. */
export const PUBLIC_QUOTE_VERSION_SQL = `
  (select q.xmin::text from quotes q where q.company_id = c.company_id and q.id = l.record_id),
  (select cu.xmin::text from quotes q join customers cu on cu.company_id = q.company_id and cu.id = q.customer_id
    where q.company_id = c.company_id and q.id = l.record_id),
  (select json_agg(json_build_array(f.id, f.xmin::text, t.xmin::text) order by f.id) from files f
    left join files t on t.company_id = f.company_id and t.owner_id = f.id and t.purpose = 'thumbnail'
    where f.company_id = c.company_id and f.owner_kind in ('quote', 'quote_acceptance') and f.owner_id = l.record_id),
  (select json_build_array(a.xmin::text, j.xmin::text, p.token) from quote_acceptances a
    left join jobs j on j.company_id = a.company_id and j.id = a.job_id
    left join public_links p on p.company_id = j.company_id and p.record_kind = 'invoice' and p.record_id = j.id and p.revoked_at is null
    where a.company_id = c.company_id and a.quote_id = l.record_id)`;
