import { InvoiceDocument, type Invoice as ShownInvoice } from '@callout/contract/invoices';
import type { FeeSettings } from '@callout/domain/fees/payment-fee';
import { type InvoiceKind, type InvoiceState, shownDaysLate, shownInvoiceStatus } from '@callout/domain/invoices/invoice';
import type { InvoiceDocument as Document } from '@callout/domain/invoices/invoice-document';
import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { userIdOf } from '../../platform/db/actor.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { nameOf } from '../history/history.sql.ts';
import { invoice_counters, invoices } from './invoices.table.ts';

/** What an invoice or credit note keeps word for word, beside the columns of its row. */
export const SentCopy = z.object({
  document: InvoiceDocument,
  gst_number: z.string().nullable(),
  fees: z.object({ add_paypal_fees: z.boolean(), paypal_fee_percentage: z.string().nullable() }),
  /** Why it was canceled; of a credit note. */
  reason: z.string().nullable(),
}) satisfies z.ZodType<{ document: Document; fees: FeeSettings }>;
export type SentCopy = z.infer<typeof SentCopy>;

const { record, sha256, user_id: _author, search_text: _text, customer_key: _key, urgency: _urgency, ...row } = getTableColumns(invoices);
const { company_id: _company, ...kept } = row;

/** The columns that the record repeats, in one order. */
const FROZEN = [
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
] as const satisfies readonly (keyof typeof kept)[];

export type FrozenFields = Pick<typeof invoices.$inferInsert, (typeof FROZEN)[number]>;

const listOf = (parts: readonly SQL[]) => sql`jsonb_build_array(${sql.join([...parts], sql`, `)})`;
const recorded = listOf(FROZEN.map((name) => sql`found ->> ${sql.raw(`'${name}'`)}`));
const stored = listOf(FROZEN.map((name) => sql`${kept[name]}::text`));

/** Whether what was sent still has the hash it was kept with, and its row still says what was recorded. */
const is_intact = sql<boolean>`(encode(sha256(convert_to(${record}, 'UTF8')), 'hex') = ${sha256}
  and (select ${recorded} from readable_json(${record}) found) = ${stored})`;

/** Something that was sent. */
export interface SentInvoice extends Omit<typeof invoices.$inferSelect, HiddenColumn> {
  readonly is_intact: boolean;
  /** Null when somebody has made it unreadable. */
  readonly copy: SentCopy | null;
}
type HiddenColumn = 'company_id' | 'record' | 'sha256' | 'user_id' | 'search_text' | 'customer_key' | 'urgency';

const newestFirst = [desc(invoices.created_at), desc(invoices.year), desc(invoices.number), desc(invoices.id)];

async function listSent(scope: TenantScope, isWanted: SQL | undefined): Promise<SentInvoice[]> {
  const rows = await scope.db
    .select({ ...kept, record, is_intact })
    .from(invoices)
    .where(and(inCompany(scope, invoices), isWanted))
    .orderBy(...newestFirst);
  return rows.map(({ record: text, ...sent }) => ({ ...sent, copy: readCopy(text) }));
}

/** Something that was sent, without its words. */
export type ListedInvoice = Omit<SentInvoice, 'copy' | 'is_intact'>;

export interface InvoicesOfJob {
  /** The newest first. */
  readonly all: readonly ListedInvoice[];
  /**
   * What the job's link shows: the open invoice, or the last that was canceled. By state before time: an invoice has the time at which its
   * request began, so the one that replaces another can have the earlier one.
   */
  readonly latest: SentInvoice | null;
}

const isLatest = sql`${invoices.kind} = 'invoice'
  and row_number() over (partition by ${invoices.kind} order by ${invoices.state} = 'open' desc, ${invoices.state} = 'credited' desc,
    ${sql.join([...newestFirst], sql`, `)}) = 1`;

/** All that was sent for a job. Of many long corrections only the latest is read and checked: the holder of a link asks for this, too. */
export async function listInvoicesOfJob(scope: TenantScope, jobId: string): Promise<InvoicesOfJob> {
  const rows = await scope.db
    .select({
      ...kept,
      record: sql<string | null>`case when ${isLatest} then ${record} end`,
      is_intact: sql<boolean | null>`case when ${isLatest} then ${is_intact} end`,
    })
    .from(invoices)
    .where(and(inCompany(scope, invoices), eq(invoices.job_id, jobId)))
    .orderBy(...newestFirst);
  const found = rows.find(({ record: text }) => text !== null);
  const latest = found && { ...found, is_intact: found.is_intact === true, copy: readCopy(found.record ?? '') };
  return { all: rows.map(({ record: _record, is_intact: _intact, ...listed }) => listed), latest: latest ?? null };
}

/** The ids of what was sent for a job and no longer is as it was kept. */
export async function listDamagedInvoices(scope: TenantScope, jobId: string): Promise<Set<string>> {
  const rows = await scope.db
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(inCompany(scope, invoices), eq(invoices.job_id, jobId), sql`${is_intact} is not true`));
  return new Set(rows.map(({ id }) => id));
}

export async function findInvoice(scope: TenantScope, id: string): Promise<SentInvoice | null> {
  const [found] = await listSent(scope, eq(invoices.id, id));
  return found ?? null;
}

const isOpen = and(eq(invoices.kind, 'invoice'), eq(invoices.state, 'open'));

/** The one invoice of a job that is neither replaced nor canceled. */
export async function findOpenInvoice(scope: TenantScope, jobId: string): Promise<SentInvoice | null> {
  const [found] = await listSent(scope, and(eq(invoices.job_id, jobId), isOpen));
  return found ?? null;
}

function readCopy(text: string): SentCopy | null {
  try {
    return SentCopy.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * The next number of its kind and year. Its row stays locked until the transaction ends, and is as before when that is rolled back: no
 * number is missing and none is given twice.
 */
export async function takeInvoiceNumber(scope: TenantScope, kind: InvoiceKind, year: number): Promise<number> {
  const [counter] = await scope.db
    .insert(invoice_counters)
    .values({ company_id: scope.companyId, kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [invoice_counters.company_id, invoice_counters.kind, invoice_counters.year],
      set: { last: sql`${invoice_counters.last} + 1` },
    })
    .returning({ last: invoice_counters.last });
  if (!counter) throw new Error('An invoice got no number');
  return counter.last;
}

type NewInvoice = Omit<typeof invoices.$inferInsert, 'company_id' | 'user_id' | 'created_at'>;

export async function insertInvoice(scope: TenantScope, invoice: NewInvoice): Promise<void> {
  await scope.db
    .insert(invoices)
    .values({ ...invoice, company_id: scope.companyId, user_id: userIdOf(scope.actor), created_at: scope.now });
}

/** It is no longer paid: the payments are the job's. */
export async function closeInvoice(scope: TenantScope, id: string, state: Exclude<InvoiceState, 'open'>): Promise<void> {
  await scope.db
    .update(invoices)
    .set({ state, paid_amount: '0.00' })
    .where(and(inCompany(scope, invoices, id), isOpen));
}

/** Who sends it: a member by the name they have now, or the server. */
export async function readSenderName(scope: TenantScope): Promise<string> {
  const { actor } = scope;
  const staffId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  if (staffId === undefined) return 'Callout';
  const { rows } = await scope.db.execute<{ name: string | null }>(sql`select ${nameOf(scope, staffId)} as name`);
  return rows[0]?.name ?? 'Somebody';
}

interface ShownWith {
  /** What else was sent for its job. */
  readonly others: readonly ListedInvoice[];
  readonly damaged: ReadonlySet<string>;
  readonly today: string;
}

/** As a person sees it on this day. */
export function shownInvoice(sent: ListedInvoice, { others, damaged, today }: ShownWith): ShownInvoice {
  const { year: _year, number: _number, created_by: _by, replaces, ...invoice } = sent;
  const replaced = others.find(({ id }) => id === replaces);
  const successor = others.find((other) => other.replaces === sent.id);
  return {
    ...invoice,
    is_intact: !damaged.has(sent.id),
    shown_status: sent.kind === 'credit_note' ? 'paid' : shownInvoiceStatus(sent, today),
    days_late: shownDaysLate(sent, today),
    replaces: replaced ? { id: replaced.id, invoice_number: replaced.invoice_number } : null,
    replaced_by: successor ? { id: successor.id, invoice_number: successor.invoice_number, kind: successor.kind } : null,
  };
}
