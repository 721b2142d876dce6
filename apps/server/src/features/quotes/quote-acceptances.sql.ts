import { PublicQuoteDocument } from '@callout/contract/public-quotes';
import { ACTIVE_STATUSES } from '@callout/domain/jobs/job';
import { and, eq, inArray, isNull, lt, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { public_links, staff_members } from '../../platform/auth/auth.table.ts';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { handOverFiles, readFileOf, type StoredFile } from '../../platform/files/files.sql.ts';
import { jobs } from '../jobs/jobs.table.ts';
import { supplier_items } from '../suppliers/suppliers.table.ts';
import { isIntact } from './quote-content.sql.ts';
import { lockCustomer, lockQuote } from './quotes.sql.ts';
import { quote_acceptances, quote_items, quotes } from './quotes.table.ts';

/**
 * Locks all that an answer changes or refers to: the company (no member leaves, and nobody else saves a quote), the customer, the quote, and
 * the items of its lines. In this order, so that a new job, a deleted customer and a deleted item cannot deadlock with it. Returns who made
 * the quote; null when there is no such quote.
 */
export async function lockForAnswer(scope: TenantScope, id: string): Promise<{ user_id: string | null } | null> {
  await lockCompany(scope, scope.companyId);
  const [quote] = await scope.db
    .select({ customer_id: quotes.customer_id, user_id: quotes.user_id })
    .from(quotes)
    .where(inCompany(scope, quotes, id));
  if (!quote) return null;
  const { customer_id, user_id } = quote;
  // A customer who was deleted meanwhile is no longer the quote's once it is locked.
  if (customer_id) await lockCustomer(scope, customer_id);
  if (!(await lockQuote(scope, id))) return null;
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

export interface Acceptance {
  /** Null once the job was deleted. */
  readonly job_id: string | null;
  readonly job_number: string;
  readonly accepted_by: string;
  readonly by_customer: boolean;
  readonly accepted_at: string;
  /** What was accepted, as it was then; null when somebody has made it unreadable. */
  readonly copy: AcceptedCopy | null;
  /** Whether it still has the hash it was kept with. */
  readonly is_intact: boolean;
}

/** The quote and its files as they were accepted. The bytes of a file never change. */
const AcceptedCopy = z.object({
  document: PublicQuoteDocument,
  files: z.array(z.object({ id: z.string(), file_name: z.string(), file_size: z.number(), file_type: z.string() })),
});
export type AcceptedCopy = z.infer<typeof AcceptedCopy>;

/** Also of a quote that was deleted since. */
export function findAcceptance(scope: TenantScope, quoteId: string): Promise<Acceptance | null> {
  return findKept(scope, eq(quote_acceptances.quote_id, quoteId));
}

/** What the job was made from. */
export function findAcceptanceOfJob(scope: TenantScope, jobId: string): Promise<Acceptance | null> {
  return findKept(scope, eq(quote_acceptances.job_id, jobId));
}

async function findKept(scope: TenantScope, isWanted: SQL): Promise<Acceptance | null> {
  const { job_id, job_number, accepted_by, by_customer, accepted_at, record } = quote_acceptances;
  const [kept] = await scope.db
    .select({ job_id, job_number, accepted_by, by_customer, accepted_at, record, is_intact: isIntact })
    .from(quote_acceptances)
    .where(and(inCompany(scope, quote_acceptances), isWanted));
  if (!kept) return null;
  const { record: recorded, ...acceptance } = kept;
  return { ...acceptance, copy: readCopy(recorded) };
}

function readCopy(record: string): AcceptedCopy | null {
  try {
    return AcceptedCopy.parse(JSON.parse(record));
  } catch {
    return null;
  }
}

/** Of the page on which the deposit is paid; null when none is asked for, it was paid, or all of it is due. */
export async function findDepositToken(scope: TenantScope, jobId: string): Promise<string | null> {
  const isLink = and(
    eq(public_links.company_id, jobs.company_id),
    eq(public_links.record_kind, 'invoice'),
    eq(public_links.record_id, jobs.id),
    isNull(public_links.revoked_at),
  );
  const isAskedFor = and(lt(jobs.paid_amount, jobs.deposit_amount), isNull(jobs.billed_amount), inArray(jobs.status, ACTIVE_STATUSES));
  const [link] = await scope.db
    .select({ token: public_links.token })
    .from(jobs)
    .innerJoin(public_links, isLink)
    .where(and(inCompany(scope, jobs, jobId), isAskedFor));
  return link?.token ?? null;
}

type NewAcceptance = Omit<typeof quote_acceptances.$inferInsert, 'company_id'>;

/** Its key is the quote: a second one fails, and with it all that belongs to it. */
export async function insertAcceptance(scope: TenantScope, acceptance: NewAcceptance): Promise<void> {
  await scope.db.insert(quote_acceptances).values({ ...acceptance, company_id: scope.companyId });
}

/** A member whose staff record is gone has no name. */
export async function readMemberName(scope: TenantScope, staffId: string): Promise<string> {
  const [member] = await scope.db
    .select({ name: staff_members.name })
    .from(staff_members)
    .where(inCompany(scope, staff_members, staffId));
  return member?.name ?? 'Somebody';
}

const ownersOf = (id: string) => ({ quote: { kind: 'quote', id }, acceptance: { kind: 'quote_acceptance', id } }) as const;

/**
 * Before an accepted quote gets other files, or none: what was accepted keeps the files it had, for whoever has the link. One that the
 * quote shows again belongs to it again. Needs `lockCompany`.
 */
export async function keepAcceptedFiles(scope: TenantScope, quoteId: string, fileIds: readonly string[]): Promise<void> {
  const found = await findAcceptance(scope, quoteId);
  if (!found) return;
  const { quote, acceptance } = ownersOf(quoteId);
  await handOverFiles(scope, acceptance, quote, { ids: fileIds });
  // All of them where nobody can tell which they were.
  await handOverFiles(scope, quote, acceptance, { ids: found.copy?.files.map(({ id }) => id), except: fileIds });
}

/** A file that the link of a quote opens: one of the quote, or once it was accepted, one of those it had then. */
export async function findLinkedFile(scope: TenantScope, quoteId: string, id: string): Promise<StoredFile | null> {
  const accepted = await findAcceptance(scope, quoteId);
  const { quote, acceptance } = ownersOf(quoteId);
  if (!accepted) return readFileOf(scope, quote, id);
  const kept = accepted.copy?.files.find((file) => file.id === id);
  const stored = kept && ((await readFileOf(scope, quote, id)) ?? (await readFileOf(scope, acceptance, id)));
  return stored ? { ...stored, file_name: kept.file_name } : null;
}
