import { type Debtor, Invoice, type InvoiceFilters, type InvoiceRow, type InvoiceSummary } from '@callout/contract/invoices';
import type { InvoiceKind } from '@callout/domain/invoices/invoice';
import { DEBT_AGES, type DebtAge, getDebtAgeRange } from '@callout/domain/invoices/invoice-list';
import { sumMoney } from '@callout/domain/money/money';
import { addDays } from '@callout/domain/time/zoned-time';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { buildFilterCondition, buildListCondition, defineList, type FilterInput } from '../../platform/db/keyset-list.ts';
import { inCompany, pickColumns } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { jobs } from '../jobs/jobs.table.ts';
import { invoice_mails, invoices } from './invoices.table.ts';

const successors = alias(invoices, 'successors');
const selectSuccessor = (kind: InvoiceKind) => sql<InvoiceRow['replaced_by']>`(select json_build_object('id', ${successors.id},
  'invoice_number', ${successors.invoice_number}) from ${invoices} as successors where ${successors.company_id} = ${invoices.company_id}
  and ${successors.replaces} = ${invoices.id} and ${successors.kind} = ${sql.raw(`'${kind}'`)})`;
const jobJoin = sql`${jobs.company_id} = ${invoices.company_id} and ${jobs.id} = ${invoices.job_id}`;
const mailJoin = sql`${invoice_mails.company_id} = ${invoices.company_id} and ${invoice_mails.invoice_id} = ${invoices.id}`;

/** True for an invoice that isn't canceled. False for credit notes. */
const isOpen = sql`(${invoices.kind} = 'invoice' and ${invoices.state} = 'open')`;
const isUnpaid = sql`${invoices.balance} > 0`;
/** True for an open invoice that was neither emailed nor handed over. */
const isUnsent = sql`(${isOpen} and ${invoices.sent_at} is null)`;
/** Converts a date to the same unit as the indexed `urgency` column: days since January 1, 2000. */
const toUrgency = (day: unknown) => sql`${day}::date - date '2000-01-01'`;

const InvoiceColumns = Invoice.omit({
  shown_status: true,
  days_late: true,
  replaces: true,
  credited_by: true,
  replaced_by: true,
  is_intact: true,
});

export const invoiceList = defineList({
  table: invoices,
  columns: {
    ...pickColumns(invoices, InvoiceColumns),
    sent_on: invoices.sent_on,
    credited_by: selectSuccessor('credit_note'),
    replaced_by: selectSuccessor('invoice'),
    job_status: sql<InvoiceRow['job_status']>`(select ${jobs.status} from ${jobs} where ${jobJoin})`,
    is_mail_failed: sql<boolean>`coalesce((select ${invoice_mails.status} = 'failed' from ${invoice_mails} where ${mailJoin}
      and ${invoice_mails.kind} = 'invoice' order by ${invoice_mails.queued_at} desc, ${invoice_mails.id} desc limit 1), false)`,
    timezone: sql<string | null>`(select ${companies.timezone} from ${companies} where ${companies.company_id} = ${invoices.company_id})`,
  },
  sorts: {
    late_after: [invoices.urgency],
    invoice_number: [invoices.year, invoices.number],
    customer: [invoices.customer_key],
    total_amount: [invoices.total_amount],
  },
  filters: {
    customer_id: invoices.customer_id,
    from: (day) => sql`${invoices.issued_on} >= ${day}::date`,
    to: (day) => sql`${invoices.issued_on} <= ${day}::date`,
    paid: () => sql`(${isOpen} and ${invoices.balance} = 0)`,
    unpaid: () => isUnpaid,
    unsent: () => isUnsent,
    /** Matches unpaid invoices that are late after `day` at the earliest, including all unsent ones. */
    late_from: (day) => sql`(${isUnpaid} and ${invoices.urgency} >= ${toUrgency(day)})`,
    late_to: (day) => sql`(${isUnpaid} and ${invoices.urgency} <= ${toUrgency(day)})`,
  },
  search: { text: invoices.search_text, ranked: { customer: invoices.customer_key }, rankedSort: 'customer' },
});

export type InvoiceListFilter = FilterInput<typeof invoiceList.filters>;
export type InvoiceQuery = z.infer<typeof InvoiceFilters> & { readonly search?: string | undefined };

/** Builds the filter shared by the rows, counts, sums and CSV export, so that their results always agree. */
export function buildInvoiceFilter({ filter, age, ...others }: InvoiceQuery, today: string): InvoiceListFilter {
  return { ...others, ...intersectFilters(age === undefined ? {} : buildAgeFilter(age, today), buildStatusFilter(filter, today)) };
}

function buildStatusFilter(filter: InvoiceQuery['filter'], today: string): InvoiceListFilter {
  if (filter === 'overdue') return { late_to: addDays(today, -1) };
  return filter === undefined ? {} : { [filter]: 'yes' };
}

function buildAgeFilter(age: DebtAge, today: string): InvoiceListFilter {
  const { from, to } = getDebtAgeRange(age, today);
  return { ...(from !== null && { late_from: from }), ...(to !== null && { late_to: to }) };
}

/** Returns a filter for the invoices that match both filters. If both set `late_to`, the earlier date applies. */
function intersectFilters(first: InvoiceListFilter, second: InvoiceListFilter): InvoiceListFilter {
  const [late_to] = [first.late_to, second.late_to].filter((date) => date !== undefined).toSorted();
  return { ...first, ...second, ...(late_to !== undefined && { late_to }) };
}

const toCondition = (filter: InvoiceListFilter): SQL => buildFilterCondition(invoiceList, filter) ?? sql`true`;
const countWhere = (condition: SQL) => sql<number>`count(*) filter (where ${condition})::int`;
const sumWhere = (column: typeof invoices.balance | typeof invoices.total_amount | typeof invoices.paid_amount, condition: SQL) =>
  sql<string>`coalesce(sum(${column}) filter (where ${condition}), 0)::numeric(15, 2)::text`;

/** Reads counts and sums in one statement, so that they always agree. The count for each status ignores the selected status filter. */
export async function readInvoiceSummary(scope: TenantScope, { filter, ...others }: InvoiceQuery, today: string): Promise<InvoiceSummary> {
  const selected = toCondition(buildStatusFilter(filter, today));
  const counted = sql`${selected} and ${isOpen}`;
  const owed = sql`${selected} and ${isUnpaid}`;
  const ageConditions = DEBT_AGES.map(({ key }) => ({ key, condition: sql`${selected} and ${toCondition(buildAgeFilter(key, today))}` }));
  const [row] = await scope.db
    .select({
      count: countWhere(counted),
      amount: sumWhere(invoices.total_amount, counted),
      paid: sumWhere(invoices.paid_amount, counted),
      owed: countWhere(owed),
      outstanding: sumWhere(invoices.balance, owed),
      owedUnsent: countWhere(sql`${owed} and ${isUnsent}`),
      ages: sql<{ count: number; amount: string }[]>`json_build_array(${sql.join(
        ageConditions.map(
          ({ condition }) => sql`json_build_object('count', ${countWhere(condition)}, 'amount', ${sumWhere(invoices.balance, condition)})`,
        ),
        sql`, `,
      )})`,
      all: countWhere(sql`true`),
      unpaid: countWhere(toCondition(buildStatusFilter('unpaid', today))),
      overdue: countWhere(toCondition(buildStatusFilter('overdue', today))),
      paidCount: countWhere(toCondition(buildStatusFilter('paid', today))),
      unsent: countWhere(toCondition(buildStatusFilter('unsent', today))),
    })
    .from(invoices)
    .where(buildListCondition(scope, invoiceList, buildInvoiceFilter(others, today)));
  if (!row) throw new Error('The summary query returned no row');
  const { all, unpaid, overdue, paidCount, unsent } = row;
  return {
    total: { count: row.count, amount: row.amount },
    paid: row.paid,
    outstanding: { count: row.owed, amount: row.outstanding, unsent: row.owedUnsent },
    ages: ageConditions.map(({ key }, index) => ({ age: key, count: 0, amount: '0.00', ...row.ages[index] })),
    filters: { all, unpaid, overdue, paid: paidCount, unsent },
  };
}

/** Counts the invoices that their customers don't have yet, and sums what is outstanding on them. */
export async function readUnsentInvoices(scope: TenantScope): Promise<{ amount: string; invoices: number }> {
  const [unsent] = await scope.db
    .select({ amount: sumWhere(invoices.balance, sql`true`), invoices: sql<number>`count(*)::int` })
    .from(invoices)
    .where(and(inCompany(scope, invoices), isUnsent));
  return unsent ?? { amount: '0.00', invoices: 0 };
}

type DebtorTotals = Omit<Debtor, 'customer_id' | 'customer_name'>;

/** Lists customers with unpaid invoices, largest debt first. Deleted customers are grouped by the name on their invoices. */
export async function listDebtors(scope: TenantScope, today: string): Promise<{ rows: Debtor[]; total: DebtorTotals }> {
  const sum = (condition: SQL) => sumWhere(invoices.balance, condition);
  const ages = Object.fromEntries(DEBT_AGES.map(({ key }) => [key, sum(toCondition(buildAgeFilter(key, today)))])) as Record<
    DebtAge,
    SQL<string>
  >;
  const total = sum(sql`true`);
  const name = sql<string>`coalesce(max(coalesce(nullif(${customers.company_name}, ''), ${customers.name})), min(${invoices.customer_name}))`;
  const rows = await scope.db
    .select({
      customer_id: invoices.customer_id,
      customer_name: name,
      invoices: sql<number>`count(*)::int`,
      unsent: countWhere(isUnsent),
      ...ages,
      total,
    })
    .from(invoices)
    .leftJoin(customers, and(eq(customers.company_id, invoices.company_id), eq(customers.id, invoices.customer_id)))
    .where(and(inCompany(scope, invoices), isUnpaid))
    .groupBy(invoices.customer_id, sql`case when ${invoices.customer_id} is null then ${invoices.customer_key} end`)
    .orderBy(sql`sum(${invoices.balance}) desc`, name, invoices.customer_id);
  const sumColumn = (key: DebtAge | 'total') => sumMoney(rows.map((row) => row[key]));
  return {
    rows,
    total: {
      invoices: rows.reduce((count, row) => count + row.invoices, 0),
      unsent: rows.reduce((count, row) => count + row.unsent, 0),
      current: sumColumn('current'),
      days_30: sumColumn('days_30'),
      days_60: sumColumn('days_60'),
      days_90: sumColumn('days_90'),
      older: sumColumn('older'),
      total: sumColumn('total'),
    },
  };
}
