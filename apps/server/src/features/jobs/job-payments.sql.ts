import type { Payment } from '@callout/contract/invoices';
import { paymentNotFoundError } from '@callout/contract/payments';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { getUserId } from '../../platform/db/actor.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { buildStaffNameSubquery } from '../history/history.sql.ts';
import type { StoredJob } from './jobs.sql.ts';
import { payments } from './jobs.table.ts';

type GeneratedColumn =
  | 'company_id'
  | 'job_id'
  | 'user_id'
  | 'recorded_by'
  | 'recorded_at'
  | 'customer_key'
  | 'search_text'
  | 'invoice_number'
  | 'job_title';
export type NewPayment = Omit<typeof payments.$inferInsert, GeneratedColumn>;
export type PaidJob = Pick<StoredJob, 'id' | 'job_number' | 'title' | 'customer'>;

/** Returns false if the id is taken. A trigger updates `paid_amount` on the job and its invoice. The caller must have locked the job. */
export async function insertPayment(scope: TenantScope, { id: job_id, ...job }: PaidJob, payment: NewPayment): Promise<boolean> {
  const { actor, companyId, now } = scope;
  const customer_name =
    payment.customer_name ?? (job.customer ? formatCustomerName(job.customer) : await findInvoicedCustomerName(scope, job_id));
  const staffId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  const inserted = await scope.db
    .insert(payments)
    .values({
      ...payment,
      company_id: companyId,
      job_id,
      customer_name,
      customer_key: buildSortKey(customer_name ?? ''),
      search_text: buildSearchText([job.job_number, job.title, customer_name, job.customer?.name, payment.note]),
      user_id: getUserId(actor),
      recorded_by: staffId === undefined ? 'Callout' : sql`coalesce(${buildStaffNameSubquery(scope, staffId)}, 'Someone')`,
      recorded_at: now,
    })
    .onConflictDoNothing({ target: [payments.company_id, payments.id] })
    .returning({ id: payments.id });
  return inserted.length > 0;
}

/** Finds the name on the job's open invoice, or else on its last one. */
async function findInvoicedCustomerName(scope: TenantScope, jobId: string): Promise<string | null> {
  const { rows } = await scope.db.execute<{ name: string }>(sql`select i.customer_name as name from invoices i
    where i.company_id = ${scope.companyId} and i.job_id = ${jobId} and i.kind = 'invoice'
    order by i.state = 'open' desc, i.year desc, i.number desc limit 1`);
  return rows[0]?.name ?? null;
}

const reversals = alias(payments, 'reversals');
const isReversalOfPayment = and(eq(reversals.company_id, payments.company_id), eq(reversals.reverses, payments.id));

const { id, job_id, amount, fee, paid_on, method, note, recorded_by, recorded_at, reverses } = payments;
const is_reversed = sql<boolean>`${reversals.id} is not null`;
const paymentColumns = { id, amount, fee, paid_on, method, note, recorded_by, recorded_at, reverses, is_reversed };

export type StoredPayment = Payment & { readonly job_id: string; readonly customer_name: string | null };

export async function findPayment(scope: TenantScope, paymentId: string): Promise<StoredPayment | null> {
  const [payment] = await scope.db
    .select({ ...paymentColumns, job_id, customer_name: payments.customer_name })
    .from(payments)
    .leftJoin(reversals, isReversalOfPayment)
    .where(inCompany(scope, payments, paymentId));
  return payment ?? null;
}

export async function readPayment(scope: TenantScope, paymentId: string): Promise<StoredPayment> {
  const payment = await findPayment(scope, paymentId);
  if (!payment) throw toFailure(paymentNotFoundError);
  return payment;
}

/** Lists the job's payments, newest first. */
export function listJobPayments(scope: TenantScope, jobId: string): Promise<Payment[]> {
  return scope.db
    .select(paymentColumns)
    .from(payments)
    .leftJoin(reversals, isReversalOfPayment)
    .where(and(inCompany(scope, payments), eq(job_id, jobId)))
    .orderBy(desc(recorded_at), desc(id));
}

/** Reads the online fees that customers paid on top of their debts, as a map from job id to amount. Reversals are deducted. */
export async function readReceivedFees(scope: TenantScope, jobIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (jobIds.length === 0) return new Map();
  const rows = await scope.db
    .select({ job_id, fee: sql<string>`sum(${fee})::numeric(15, 2)::text` })
    .from(payments)
    .where(and(inCompany(scope, payments), inArray(job_id, [...jobIds])))
    .groupBy(job_id);
  return new Map(rows.map((row) => [row.job_id, row.fee]));
}
