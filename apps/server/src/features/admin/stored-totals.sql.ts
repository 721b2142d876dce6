import { and, asc, desc, gte, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { invoice_days, invoices } from '../invoices/invoices.table.ts';
import { jobs, payment_days, payments } from '../jobs/jobs.table.ts';
import { quotes } from '../quotes/quotes.table.ts';

/** Picks companies at random. The same seed picks the same ones. */
export async function sampleCompanies(pool: pg.Pool, seed: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ company_id: string }>(
    'select company_id from companies where deletes_at is null order by md5(company_id::text || $1), company_id limit $2',
    [seed, limit],
  );
  return rows.map(({ company_id }) => company_id);
}

const SAMPLED = { job: [jobs, jobs.created_at], quote: [quotes, quotes.created_at], invoice: [invoices, invoices.issued_on] } as const;
export type SampledKind = keyof typeof SAMPLED;

/** Picks the newest records, and as many that follow each other in the order of their ids from a random one. */
export async function sampleRecordIds(scope: TenantScope, kind: SampledKind, seed: string, limit: number): Promise<string[]> {
  const [table, age]: readonly [typeof jobs | typeof quotes | typeof invoices, PgColumn] = SAMPLED[kind];
  const select = (order: SQL, condition?: SQL) =>
    scope.db
      .select({ id: sql<string>`${table.id}` })
      .from(table)
      .where(and(inCompany(scope, table), condition))
      .orderBy(order)
      .limit(limit);
  const start = sql`md5(${scope.companyId} || ${seed})::uuid`;
  const found = [...(await select(desc(age))), ...(await select(asc(table.id), gte(table.id, start)))];
  return [...new Set(found.map(({ id }) => id))];
}

/** Reads what a job's payments and open invoice add up to, next to what the job stores. */
export async function readBillingSums(
  scope: TenantScope,
  jobId: string,
): Promise<Record<'paid' | 'billed', [string | null, string | null]>> {
  const ofJob = (table: typeof payments | typeof invoices) =>
    sql`${table.company_id} = ${jobs.company_id} and ${table.job_id} = ${jobs.id}`;
  const [sums] = await scope.db
    .select({
      paid_amount: jobs.paid_amount,
      billed_amount: jobs.billed_amount,
      paid: sql<string>`(select coalesce(sum(${payments.amount}), 0.00)::text from ${payments} where ${ofJob(payments)})`,
      billed: sql<string | null>`(select sum(${invoices.total_amount})::text from ${invoices}
        where ${ofJob(invoices)} and ${invoices.kind} = 'invoice' and ${invoices.state} = 'open')`,
    })
    .from(jobs)
    .where(inCompany(scope, jobs, jobId));
  return { paid: [sums?.paid_amount ?? null, sums?.paid ?? null], billed: [sums?.billed_amount ?? null, sums?.billed ?? null] };
}

/** Lists the sums by day and the counts of all time that differ from the rows themselves. */
export async function listWrongSums(scope: TenantScope): Promise<string[]> {
  const { companyId } = scope;
  const factor = sql`case when state = 'replaced' then 0 when kind = 'credit_note' then -1 else 1 end`;
  const isOpen = sql`kind = 'invoice' and state = 'open'`;
  const { rows } = await scope.db.execute<{ wrong: string }>(sql`
    (select 'invoices of ' || day as wrong from (
      select issued_on as day, invoices, credit_notes, tax_amount, total_amount, open_invoices, open_tax_amount, open_total_amount, 1 as sign
        from ${invoice_days} where ${inCompany(scope, invoice_days)}
      union all select issued_on, (kind = 'invoice')::int, (kind = 'credit_note')::int, ${factor} * tax_amount, ${factor} * total_amount,
          (${isOpen})::int, (${isOpen})::int * tax_amount, (${isOpen})::int * total_amount, -1
        from ${invoices} where ${inCompany(scope, invoices)}) as compared
      group by day having sum(sign * invoices) <> 0 or sum(sign * credit_notes) <> 0 or sum(sign * tax_amount) <> 0
        or sum(sign * total_amount) <> 0 or sum(sign * open_invoices) <> 0 or sum(sign * open_tax_amount) <> 0
        or sum(sign * open_total_amount) <> 0)
    union all (select method || ' payments of ' || day from (
      select paid_on as day, method, entries, reversals, amount, fee, 1 as sign from ${payment_days} where ${inCompany(scope, payment_days)}
      union all select paid_on, method, 1, (reverses is not null)::int, amount, fee, -1 from ${payments}
        where ${inCompany(scope, payments)}) as compared
      group by day, method having sum(sign * entries) <> 0 or sum(sign * reversals) <> 0 or sum(sign * amount) <> 0
        or sum(sign * fee) <> 0)
    union all (select 'number of ' || kind || ' ' || of_id from (
      select kind, of_id, total from record_counts where company_id = ${companyId}
      union all select kind, of_id, total from record_count_changes where company_id = ${companyId}
      union all select 'active customers', company_id, -1 from customers where company_id = ${companyId} and status = 'active'
      union all select 'jobs', coalesce(c.category_id, j.company_id), -1 from ${jobs} j
        left join job_categories c on c.company_id = j.company_id and c.job_id = j.id
        where j.company_id = ${companyId} and j.status <> 'canceled') as compared
      group by kind, of_id having sum(total) <> 0)`);
  return rows.map(({ wrong }) => wrong);
}
