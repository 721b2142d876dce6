import type { Payment } from '@callout/contract/invoices';
import { paymentNotFound } from '@callout/contract/payments';
import { and, desc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { userIdOf } from '../../platform/db/actor.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { nameOf } from '../history/history.sql.ts';
import { payments } from './payments.table.ts';

type NewPayment = Omit<typeof payments.$inferInsert, 'company_id' | 'user_id' | 'recorded_by' | 'recorded_at'>;

/** What was paid of the job and its open invoice follows by a trigger. False when the id is taken. Needs the job's lock. */
export async function insertPayment(scope: TenantScope, payment: NewPayment): Promise<boolean> {
  const { actor, companyId, now } = scope;
  const staffId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  const inserted = await scope.db
    .insert(payments)
    .values({
      ...payment,
      company_id: companyId,
      user_id: userIdOf(actor),
      recorded_by: staffId === undefined ? 'Callout' : sql`coalesce(${nameOf(scope, staffId)}, 'Somebody')`,
      recorded_at: now,
    })
    .onConflictDoNothing({ target: [payments.company_id, payments.id] })
    .returning({ id: payments.id });
  return inserted.length > 0;
}

const reversals = alias(payments, 'reversals');
const isReversal = and(eq(reversals.company_id, payments.company_id), eq(reversals.reverses, payments.id));

const { id, job_id, amount, paid_on, method, note, recorded_by, recorded_at, reverses } = payments;
const is_reversed = sql<boolean>`${reversals.id} is not null`;
const shown = { id, amount, paid_on, method, note, recorded_by, recorded_at, reverses, is_reversed };

export type PaymentRow = Payment & { readonly job_id: string };

export async function findPayment(scope: TenantScope, paymentId: string): Promise<PaymentRow | null> {
  const [payment] = await scope.db
    .select({ ...shown, job_id })
    .from(payments)
    .leftJoin(reversals, isReversal)
    .where(inCompany(scope, payments, paymentId));
  return payment ?? null;
}

export async function readPayment(scope: TenantScope, paymentId: string): Promise<PaymentRow> {
  const payment = await findPayment(scope, paymentId);
  if (!payment) throw failureOf(paymentNotFound);
  return payment;
}

/** The newest first. */
export function listPaymentsOfJob(scope: TenantScope, jobId: string): Promise<Payment[]> {
  return scope.db
    .select(shown)
    .from(payments)
    .leftJoin(reversals, isReversal)
    .where(and(inCompany(scope, payments), eq(job_id, jobId)))
    .orderBy(desc(recorded_at), desc(id));
}
