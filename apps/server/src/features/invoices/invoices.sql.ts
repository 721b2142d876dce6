import { type Invoice as DisplayInvoice, InvoiceDocument } from '@callout/contract/invoices';
import type { FeeSettings } from '@callout/domain/fees/payment-fee';
import { getDisplayDaysLate, getInvoiceDisplayStatus, getLateAfterDate, type InvoiceKind } from '@callout/domain/invoices/invoice';
import type { InvoiceDocument as Document } from '@callout/domain/invoices/invoice-document';
import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { getUserId } from '../../platform/db/actor.ts';
import { inCompany, selectExistingId } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from '../customers/customers.table.ts';
import { parseFrozenDocument } from '../documents/freeze-document.ts';
import { buildIntactColumn } from '../documents/frozen-document.sql.ts';
import { buildStaffNameSubquery } from '../history/history.sql.ts';
import { invoice_counters, invoices } from './invoices.table.ts';

/** The frozen content of an invoice or credit note that isn't stored in columns. */
export const SentInvoiceCopy = z.object({
  document: InvoiceDocument,
  gst_number: z.string().nullable(),
  fees: z.object({ add_paypal_fees: z.boolean(), paypal_fee_percentage: z.string().nullable() }),
  /** Why the invoice was canceled. Only set for credit notes. */
  reason: z.string().nullable(),
}) satisfies z.ZodType<{ document: Document; fees: FeeSettings }>;
export type SentInvoiceCopy = z.infer<typeof SentInvoiceCopy>;

const { record, sha256, user_id: _author, search_text: _text, customer_key: _key, urgency: _urgency, ...rest } = getTableColumns(invoices);
const { company_id: _company, ...storedColumns } = rest;
const invoiceColumns = { ...storedColumns, customer_id: selectExistingId(invoices.customer_id, customers) };

/** Columns that are also stored in the frozen record. A mismatch between the two reveals tampering. */
const FROZEN_COLUMNS = [
  'id',
  'kind',
  'invoice_number',
  'job_id',
  'job_number',
  'title',
  'customer_name',
  'issued_on',
  'due_on',
  'late_after',
  'subtotal',
  'tax_amount',
  'total_amount',
  'currency',
  'replaces',
  'created_by',
] as const satisfies readonly (keyof typeof invoiceColumns)[];

export type FrozenColumns = Pick<typeof invoices.$inferInsert, (typeof FROZEN_COLUMNS)[number]>;

const is_intact = buildIntactColumn({ record, sha256 }, Object.fromEntries(FROZEN_COLUMNS.map((name) => [name, invoiceColumns[name]])));

/** An invoice or credit note that was issued. */
export interface SentInvoice extends Omit<typeof invoices.$inferSelect, HiddenColumn> {
  readonly is_intact: boolean;
  /** Null if the stored record can't be read. */
  readonly copy: SentInvoiceCopy | null;
}
type HiddenColumn = 'company_id' | 'record' | 'sha256' | 'user_id' | 'search_text' | 'customer_key' | 'urgency';

/** A correction issues a credit note and an invoice in the same moment; the invoice comes first. */
const newestFirst = [desc(invoices.created_at), desc(invoices.kind), desc(invoices.year), desc(invoices.number), desc(invoices.id)];

async function listSentInvoices(scope: TenantScope, condition: SQL | undefined): Promise<SentInvoice[]> {
  const rows = await scope.db
    .select({ ...invoiceColumns, record, is_intact })
    .from(invoices)
    .where(and(inCompany(scope, invoices), condition))
    .orderBy(...newestFirst);
  return rows.map(({ record: text, ...sent }) => ({ ...sent, copy: parseFrozenDocument(SentInvoiceCopy, text) }));
}

/** An issued invoice or credit note without its frozen copy. */
export type SentInvoiceRow = Omit<SentInvoice, 'copy' | 'is_intact'>;

export interface JobInvoices {
  /** All of the job's invoices and credit notes, newest first. */
  readonly all: readonly SentInvoiceRow[];
  /** The open invoice, or else the last canceled one. `created_at` can't decide, because it is when the request began. */
  readonly latest: SentInvoice | null;
}

const isLatest = sql`${invoices.kind} = 'invoice'
  and row_number() over (partition by ${invoices.kind} order by ${invoices.state} = 'open' desc, ${invoices.year} desc,
    ${invoices.number} desc) = 1`;

/** Lists the job's invoices. Loads only the latest document, so that opening a public link never reads many long documents. */
export async function listJobInvoices(scope: TenantScope, jobId: string): Promise<JobInvoices> {
  const rows = await scope.db
    .select({
      ...invoiceColumns,
      record: sql<string | null>`case when ${isLatest} then ${record} end`,
      is_intact: sql<boolean | null>`case when ${isLatest} then ${is_intact} end`,
    })
    .from(invoices)
    .where(and(inCompany(scope, invoices), eq(invoices.job_id, jobId)))
    .orderBy(...newestFirst);
  const found = rows.find(({ record: text }) => text !== null);
  const latest = found && { ...found, is_intact: found.is_intact === true, copy: parseFrozenDocument(SentInvoiceCopy, found.record ?? '') };
  return { all: rows.map(({ record: _record, is_intact: _intact, ...listed }) => listed), latest: latest ?? null };
}

/** Returns the ids of the job's invoices and credit notes that were tampered with, either in the row or in the frozen record. */
export async function listDamagedInvoiceIds(scope: TenantScope, jobId: string): Promise<Set<string>> {
  const rows = await scope.db
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(inCompany(scope, invoices), eq(invoices.job_id, jobId), sql`${is_intact} is not true`));
  return new Set(rows.map(({ id }) => id));
}

export async function findInvoice(scope: TenantScope, id: string): Promise<SentInvoice | null> {
  const [found] = await listSentInvoices(scope, eq(invoices.id, id));
  return found ?? null;
}

const isOpen = and(eq(invoices.kind, 'invoice'), eq(invoices.state, 'open'));

/** Returns the invoice that isn't canceled. A job has at most one. */
export async function findOpenInvoice(scope: TenantScope, jobId: string): Promise<SentInvoice | null> {
  const [found] = await listSentInvoices(scope, and(eq(invoices.job_id, jobId), isOpen));
  return found ?? null;
}

/** Locks the counter until the transaction ends. A rollback also undoes the increment, so the numbers have no gaps or duplicates. */
export async function takeNextInvoiceNumber(scope: TenantScope, kind: InvoiceKind, year: number): Promise<number> {
  const [counter] = await scope.db
    .insert(invoice_counters)
    .values({ company_id: scope.companyId, kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [invoice_counters.company_id, invoice_counters.kind, invoice_counters.year],
      set: { last: sql`${invoice_counters.last} + 1` },
    })
    .returning({ last: invoice_counters.last });
  if (!counter) throw new Error('The invoice counter returned no number');
  return counter.last;
}

type NewInvoiceRow = Omit<typeof invoices.$inferInsert, 'company_id' | 'user_id' | 'created_at'>;

export async function insertInvoice(scope: TenantScope, invoice: NewInvoiceRow): Promise<void> {
  await scope.db
    .insert(invoices)
    .values({ ...invoice, company_id: scope.companyId, user_id: getUserId(scope.actor), created_at: scope.now });
}

/** Closes a credited invoice and sets its paid amount to 0, because payments count only toward the job's open invoice. */
export async function closeInvoice(scope: TenantScope, id: string): Promise<void> {
  await scope.db
    .update(invoices)
    .set({ state: 'credited', paid_amount: '0.00' })
    .where(and(inCompany(scope, invoices, id), isOpen));
}

export interface InvoiceDelivery {
  /** The date in the company's time zone. */
  readonly today: string;
  /** The person who handed the invoice over; null if it was emailed. */
  readonly handedOverBy: string | null;
}

/** Marks the invoice as sent, unless it already is. */
export async function setInvoiceSent(scope: TenantScope, id: string, { today, handedOverBy }: InvoiceDelivery): Promise<void> {
  await scope.db
    .update(invoices)
    .set({
      sent_at: sql`coalesce(${invoices.sent_at}, ${scope.now})`,
      sent_on: sql`case when ${invoices.sent_at} is null then ${today}::date else ${invoices.sent_on} end`,
      handed_over_by: sql`coalesce(${invoices.handed_over_by}, ${handedOverBy})`,
    })
    .where(and(inCompany(scope, invoices, id), isOpen));
}

/** Forgets who handed the invoice over. Whether the invoice counts as sent stays the same. */
export async function clearHandOver(scope: TenantScope, id: string): Promise<void> {
  await scope.db
    .update(invoices)
    .set({ handed_over_by: null })
    .where(inCompany(scope, invoices, id));
}

export async function setInvoiceNotSent(scope: TenantScope, id: string): Promise<void> {
  await scope.db
    .update(invoices)
    .set({ sent_at: null, sent_on: null })
    .where(inCompany(scope, invoices, id));
}

/** Returns the sender's current name, or 'Callout' if the invoice is sent automatically. */
export async function readSenderName(scope: TenantScope): Promise<string> {
  const { actor } = scope;
  const staffId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  if (staffId === undefined) return 'Callout';
  const { rows } = await scope.db.execute<{ name: string | null }>(sql`select ${buildStaffNameSubquery(scope, staffId)} as name`);
  return rows[0]?.name ?? 'Someone';
}

/** Finds the credit note that cancels an invoice, or the invoice that corrects it, among the documents of its job. */
export const findSuccessor = (jobInvoices: readonly SentInvoiceRow[], id: string, kind: InvoiceKind): SentInvoiceRow | undefined =>
  jobInvoices.find((other) => other.replaces === id && other.kind === kind);

interface DisplayContext {
  /** All of the job's invoices and credit notes. */
  readonly jobInvoices: readonly SentInvoiceRow[];
  readonly damaged: ReadonlySet<string>;
  readonly today: string;
}

/** Adds today's status, and the numbers of the related documents. */
export function toDisplayInvoice(sent: SentInvoiceRow, { jobInvoices: others, damaged, today }: DisplayContext): DisplayInvoice {
  const { year: _year, number: _number, created_by: _by, sent_on: _on, replaces, ...invoice } = sent;
  const toRelated = (found: SentInvoiceRow | undefined) => (found ? { id: found.id, invoice_number: found.invoice_number } : null);
  return {
    ...invoice,
    is_intact: !damaged.has(sent.id),
    late_after: getLateAfterDate(sent),
    shown_status: sent.kind === 'credit_note' ? 'paid' : getInvoiceDisplayStatus(sent, today),
    days_late: getDisplayDaysLate(sent, today),
    replaces: toRelated(others.find(({ id }) => id === replaces)),
    credited_by: toRelated(findSuccessor(others, sent.id, 'credit_note')),
    replaced_by: toRelated(findSuccessor(others, sent.id, 'invoice')),
  };
}

/** Everything that a job's public invoice page shows, besides the company: the job, its lines, customer, invoices and payments. */
export const PUBLIC_INVOICE_VERSION_SQL = `
  (select json_build_array(j.xmin::text, cu.xmin::text) from jobs j
    left join customers cu on cu.company_id = j.company_id and cu.id = j.customer_id
    where j.company_id = c.company_id and j.id = l.record_id),
  (select json_agg(json_build_array(i.id, i.xmin::text) order by i.id) from job_items i
    where i.company_id = c.company_id and i.job_id = l.record_id),
  (select json_agg(json_build_array(i.id, i.xmin::text) order by i.id) from invoices i
    where i.company_id = c.company_id and i.job_id = l.record_id),
  (select json_agg(json_build_array(p.id, p.xmin::text) order by p.id) from payments p
    where p.company_id = c.company_id and p.job_id = l.record_id)`;
