import { type Debtor, Invoice, type InvoiceFilters, type InvoiceRow, type InvoiceSummary } from '@callout/contract/invoices';
import { DEBT_AGES, type DebtAge, debtAgeDays } from '@callout/domain/invoices/invoice-list';
import { sumMoney } from '@callout/domain/money/money';
import { addDays } from '@callout/domain/time/zoned-time';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { defineList, type Filter, isListed, isWanted } from '../../platform/db/keyset-list.ts';
import { columnsOf, inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { jobs } from '../jobs/jobs.table.ts';
import { invoice_mails, invoices } from './invoices.table.ts';

const successors = alias(invoices, 'successors');
const isSuccessor = sql`${successors.company_id} = ${invoices.company_id} and ${successors.replaces} = ${invoices.id}`;
const isJob = sql`${jobs.company_id} = ${invoices.company_id} and ${jobs.id} = ${invoices.job_id}`;
const isMail = sql`${invoice_mails.company_id} = ${invoices.company_id} and ${invoice_mails.invoice_id} = ${invoices.id}`;

/** As a person sees it: neither replaced nor canceled, and no credit note. */
const isOpen = sql`(${invoices.kind} = 'invoice' and ${invoices.state} = 'open')`;
const isUnpaid = sql`${invoices.balance} > 0`;
/** The sort of unpaid invoices by their last day, as the index has it. */
const urgencyOf = (day: unknown) => sql`${day}::date - date '2000-01-01'`;

const OwnColumns = Invoice.omit({ shown_status: true, days_late: true, replaces: true, replaced_by: true, is_intact: true });

export const invoiceList = defineList({
  table: invoices,
  columns: {
    ...columnsOf(invoices, OwnColumns),
    replaced_by: sql<InvoiceRow['replaced_by']>`(select json_build_object('id', ${successors.id},
      'invoice_number', ${successors.invoice_number}, 'kind', ${successors.kind}) from ${invoices} as successors where ${isSuccessor})`,
    job_status: sql<InvoiceRow['job_status']>`(select ${jobs.status} from ${jobs} where ${isJob})`,
    is_mail_failed: sql<boolean>`coalesce((select ${invoice_mails.status} = 'failed' from ${invoice_mails} where ${isMail}
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
    /** Unpaid, and late after this day or a later one. */
    late_from: (day) => sql`(${isUnpaid} and ${invoices.urgency} >= ${urgencyOf(day)})`,
    late_to: (day) => sql`(${isUnpaid} and ${invoices.urgency} <= ${urgencyOf(day)})`,
  },
  search: { text: invoices.search_text, ranked: { customer: invoices.customer_key }, rankedSort: 'customer' },
});

export type InvoiceListFilter = Filter<typeof invoiceList.filters>;
type AskedFilters = z.infer<typeof InvoiceFilters> & { readonly search?: string | undefined };

/** The one place that says which invoices a filter means on this day: for rows, counts, sums and the export. */
export function invoiceFilter({ filter, age, ...asked }: AskedFilters, today: string): InvoiceListFilter {
  return { ...asked, ...both(age === undefined ? {} : ofAge(age, today), statusFilter(filter, today)) };
}

function statusFilter(filter: AskedFilters['filter'], today: string): InvoiceListFilter {
  if (filter === 'overdue') return { late_to: addDays(today, -1) };
  return filter === undefined ? {} : { [filter]: 'yes' };
}

function ofAge(age: DebtAge, today: string): InvoiceListFilter {
  const { from, to } = debtAgeDays(age, today);
  return { ...(from !== null && { late_from: from }), ...(to !== null && { late_to: to }) };
}

/** What two filters both match: of two last days the earlier one counts. */
function both(one: InvoiceListFilter, other: InvoiceListFilter): InvoiceListFilter {
  const ends = [one.late_to, other.late_to].filter((day) => day !== undefined).toSorted();
  return { ...one, ...other, ...(ends[0] !== undefined && { late_to: ends[0] }) };
}

const matches = (filter: InvoiceListFilter): SQL => isWanted(invoiceList, filter) ?? sql`true`;
const countOf = (condition: SQL) => sql<number>`count(*) filter (where ${condition})::int`;
const sumOf = (column: typeof invoices.balance | typeof invoices.total_amount | typeof invoices.paid_amount, condition: SQL) =>
  sql<string>`coalesce(sum(${column}) filter (where ${condition}), 0)::numeric(15, 2)::text`;

/** One statement, so that counts and sums are of one moment. What each filter counts does not depend on the chosen one. */
export async function readSummary(scope: TenantScope, { filter, ...asked }: AskedFilters, today: string): Promise<InvoiceSummary> {
  const chosen = matches(statusFilter(filter, today));
  const counted = sql`${chosen} and ${isOpen}`;
  const owed = sql`${chosen} and ${isUnpaid}`;
  const aged = DEBT_AGES.map(({ key }) => ({ key, condition: sql`${chosen} and ${matches(ofAge(key, today))}` }));
  const [row] = await scope.db
    .select({
      count: countOf(counted),
      amount: sumOf(invoices.total_amount, counted),
      paid: sumOf(invoices.paid_amount, counted),
      owed: countOf(owed),
      outstanding: sumOf(invoices.balance, owed),
      ages: sql<{ count: number; amount: string }[]>`json_build_array(${sql.join(
        aged.map(
          ({ condition }) => sql`json_build_object('count', ${countOf(condition)}, 'amount', ${sumOf(invoices.balance, condition)})`,
        ),
        sql`, `,
      )})`,
      all: countOf(sql`true`),
      unpaid: countOf(matches(statusFilter('unpaid', today))),
      overdue: countOf(matches(statusFilter('overdue', today))),
      are_paid: countOf(matches(statusFilter('paid', today))),
    })
    .from(invoices)
    .where(isListed(scope, invoiceList, invoiceFilter(asked, today)));
  if (!row) throw new Error('A sum has no row');
  const { all, unpaid, overdue, are_paid } = row;
  return {
    total: { count: row.count, amount: row.amount },
    paid: row.paid,
    outstanding: { count: row.owed, amount: row.outstanding },
    ages: aged.map(({ key }, index) => ({ age: key, count: 0, amount: '0.00', ...row.ages[index] })),
    filters: { all, unpaid, overdue, paid: are_paid },
  };
}

type DebtSums = Omit<Debtor, 'customer_id' | 'customer_name'>;

/** Who owes us. Invoices of a customer who was deleted go by the name that was billed. */
export async function readDebtors(scope: TenantScope, today: string): Promise<{ rows: Debtor[]; total: DebtSums }> {
  const sum = (condition: SQL) => sumOf(invoices.balance, condition);
  const ages = Object.fromEntries(DEBT_AGES.map(({ key }) => [key, sum(matches(ofAge(key, today)))])) as Record<DebtAge, SQL<string>>;
  const total = sum(sql`true`);
  const name = sql<string>`coalesce(max(coalesce(nullif(${customers.company_name}, ''), ${customers.name})), min(${invoices.customer_name}))`;
  const rows = await scope.db
    .select({ customer_id: invoices.customer_id, customer_name: name, invoices: sql<number>`count(*)::int`, ...ages, total })
    .from(invoices)
    .leftJoin(customers, and(eq(customers.company_id, invoices.company_id), eq(customers.id, invoices.customer_id)))
    .where(and(inCompany(scope, invoices), isUnpaid))
    .groupBy(invoices.customer_id, sql`case when ${invoices.customer_id} is null then ${invoices.customer_key} end`)
    .orderBy(sql`sum(${invoices.balance}) desc`, name, invoices.customer_id);
  const totalOf = (key: DebtAge | 'total') => sumMoney(rows.map((row) => row[key]));
  return {
    rows,
    total: {
      invoices: rows.reduce((count, row) => count + row.invoices, 0),
      current: totalOf('current'),
      days_30: totalOf('days_30'),
      days_60: totalOf('days_60'),
      days_90: totalOf('days_90'),
      older: totalOf('older'),
      total: totalOf('total'),
    },
  };
}
