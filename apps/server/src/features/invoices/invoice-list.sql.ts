import {
  type Debtor,
  type DebtorList,
  Invoice,
  type InvoiceFilters,
  type InvoiceRow,
  type InvoiceSummary,
} from '@callout/contract/invoices';
import { PAGE_SIZE } from '@callout/contract/lists';
import type { InvoiceKind } from '@callout/domain/invoices/invoice';
import { DEBT_AGES, type DebtAge, getDebtAgeRange } from '@callout/domain/invoices/invoice-list';
import { subtractMoney, sumMoney } from '@callout/domain/money/money';
import { parseSearchWords } from '@callout/domain/search/search-text';
import { MAX_SUMMED_ROWS } from '@callout/domain/text/count-format';
import { addDays } from '@callout/domain/time/zoned-time';
import { and, gte, lte, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { buildPage, decodeCursor, isNumberKey, isTextKey } from '../../platform/db/cursor.ts';
import { buildFilterCondition, buildListCondition, defineList, type FilterInput } from '../../platform/db/keyset-list.ts';
import { inCompany, pickColumns, selectExistingId } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { buildMailFailedColumn } from '../documents/document-mails.sql.ts';
import { jobs } from '../jobs/jobs.table.ts';
import { invoice_days, invoice_mails, invoices } from './invoices.table.ts';

const successors = alias(invoices, 'successors');
const selectSuccessor = (kind: InvoiceKind) => sql<InvoiceRow['replaced_by']>`(select json_build_object('id', ${successors.id},
  'invoice_number', ${successors.invoice_number}) from ${invoices} as successors where ${successors.company_id} = ${invoices.company_id}
  and ${successors.replaces} = ${invoices.id} and ${successors.kind} = ${sql.raw(`'${kind}'`)})`;
const canceled = alias(invoices, 'canceled');
const jobJoin = sql`${jobs.company_id} = ${invoices.company_id} and ${jobs.id} = ${invoices.job_id}`;

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
    customer_id: selectExistingId(invoices.customer_id, customers),
    sent_on: invoices.sent_on,
    credited_by: selectSuccessor('credit_note'),
    replaced_by: selectSuccessor('invoice'),
    /** The number of the invoice that a credit note cancels. */
    cancels: sql<string | null>`(select ${canceled.invoice_number} from ${invoices} as canceled where ${invoices.kind} = 'credit_note'
      and ${canceled.company_id} = ${invoices.company_id} and ${canceled.id} = ${invoices.replaces})`,
    job_status: sql<InvoiceRow['job_status']>`(select ${jobs.status} from ${jobs} where ${jobJoin})`,
    is_mail_failed: buildMailFailedColumn(invoice_mails, invoices),
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
const sumWhere = (amount: SQL | PgColumn, condition: SQL) =>
  sql<string>`coalesce(sum(${amount}) filter (where ${condition}), 0)::numeric(20, 2)::text`;

/** Sums of a set of open invoices. The paid amount follows from them: amount - balance + overpaid. */
interface OpenSums {
  readonly count: number;
  readonly amount: string;
  readonly tax_amount: string;
  readonly balance: string;
  readonly overpaid: string;
}

const buildOpenSums = (condition: SQL) => sql<OpenSums>`json_build_object('count', ${countWhere(condition)},
  'amount', ${sumWhere(invoices.total_amount, condition)}, 'tax_amount', ${sumWhere(invoices.tax_amount, condition)},
  'balance', ${sumWhere(invoices.balance, condition)},
  'overpaid', ${sumWhere(sql`greatest(${invoices.paid_amount} - ${invoices.total_amount}, 0)`, condition)})`;

/** The totals of all documents that match, of which `open` isn't canceled. */
interface IssuedSums extends Pick<InvoiceSummary, 'total'> {
  /** The number of documents that were read. Zero if the sums come from the days. */
  readonly rows: number;
  readonly open: Pick<OpenSums, 'count' | 'amount' | 'tax_amount'>;
}

/** Subtracts credit notes. An invoice that was replaced before corrections issued credit notes counts as 0. The CSV does the same. */
const buildSigned = (amount: PgColumn) =>
  sql`case when ${invoices.state} = 'replaced' then 0 when ${invoices.kind} = 'credit_note' then -${amount} else ${amount} end`;

/** Adds up the documents themselves. */
const issuedSumsOfRows = sql<IssuedSums>`json_build_object('rows', count(*),
  'total', json_build_object('invoices', ${countWhere(sql`${invoices.kind} = 'invoice'`)},
    'credit_notes', ${countWhere(sql`${invoices.kind} = 'credit_note'`)}, 'amount', ${sumWhere(buildSigned(invoices.total_amount), sql`true`)},
    'tax_amount', ${sumWhere(buildSigned(invoices.tax_amount), sql`true`)}),
  'open', ${buildOpenSums(isOpen)})`;

/** Adds up the days of a period, which triggers keep in step with the documents. */
function buildIssuedSumsOfDays(scope: TenantScope, { from, to }: Pick<InvoiceQuery, 'from' | 'to'>): SQL<IssuedSums> {
  const days = invoice_days;
  const sum = (column: PgColumn) => sql`coalesce(sum(${column}), 0)`;
  const condition = and(
    inCompany(scope, days),
    from === undefined ? undefined : gte(days.issued_on, from),
    to === undefined ? undefined : lte(days.issued_on, to),
  );
  return sql`(select json_build_object('rows', 0,
    'total', json_build_object('invoices', ${sum(days.invoices)}, 'credit_notes', ${sum(days.credit_notes)},
      'amount', ${sum(days.total_amount)}::numeric(20, 2)::text, 'tax_amount', ${sum(days.tax_amount)}::numeric(20, 2)::text),
    'open', json_build_object('count', ${sum(days.open_invoices)}, 'amount', ${sum(days.open_total_amount)}::numeric(20, 2)::text,
      'tax_amount', ${sum(days.open_tax_amount)}::numeric(20, 2)::text)) from ${days} where ${condition})`;
}

/** True for open invoices that aren't both sent and paid exactly. Must match the condition of the index `unsettled_invoices`. */
const isUnsettled = sql`${invoices.kind} = 'invoice' and ${invoices.state} = 'open'
  and (${invoices.balance} > 0 or ${invoices.sent_at} is null or ${invoices.paid_amount} > ${invoices.total_amount})`;

const SUMMED_COLUMNS = sql`"sent_at", "urgency", "tax_amount", "total_amount", "paid_amount", "balance"`;

/** Selects from unsettled invoices under the table's own name, and only columns that the index `unsettled_invoices` has. */
const fromUnsettled = (condition: SQL | undefined) =>
  sql`from (select 'invoice' as "kind", 'open' as "state", ${SUMMED_COLUMNS} from ${invoices} where ${and(condition, isUnsettled)}) as ${invoices}`;

/** Adds up what was issued: the days of a period or, with a search or a customer, at most `MAX_SUMMED_ROWS` documents. */
function buildIssuedSums(scope: TenantScope, query: Omit<InvoiceQuery, 'filter'>, condition: SQL | undefined): SQL<IssuedSums> {
  if (hasSumsByDay(query)) return buildIssuedSumsOfDays(scope, query);
  // Only unpaid invoices have an age, and the summary reads all of those.
  if (query.age !== undefined) return issuedSumsOfRows;
  return sql`(select ${issuedSumsOfRows} from (select "kind", "state", ${SUMMED_COLUMNS} from ${invoices} where ${condition}
    limit ${MAX_SUMMED_ROWS + 1}) as ${invoices})`;
}

const hasSumsByDay = ({ search, customer_id, age }: InvoiceQuery) =>
  parseSearchWords(search ?? '').length === 0 && customer_id === undefined && age === undefined;

/**
 * Adds up the documents that match, in one statement, so that the sums always agree with each other. The count for each status ignores the
 * selected status filter. Reads only what isn't settled and the period's days or, with a search or a customer, a limited number of
 * documents.
 */
export async function readInvoiceSummary(scope: TenantScope, { filter, ...others }: InvoiceQuery, today: string): Promise<InvoiceSummary> {
  const isListed = await buildListCondition(scope, invoiceList, buildInvoiceFilter(others, today));
  const selected = toCondition(buildStatusFilter(filter, today));
  const owed = sql`${selected} and ${isUnpaid}`;
  const ageConditions = DEBT_AGES.map(({ key }) => ({ key, condition: sql`${selected} and ${toCondition(buildAgeFilter(key, today))}` }));
  const { rows } = await scope.db.execute<SummaryRow>(sql`select ${buildIssuedSums(scope, others, isListed)} as issued,
    ${buildOpenSums(isOpen)} as unsettled,
    ${buildOpenSums(isUnpaid)} as unpaid,
    ${buildOpenSums(toCondition(buildStatusFilter('overdue', today)))} as overdue,
    ${buildOpenSums(isUnsent)} as unsent,
    ${countWhere(owed)} as owed, ${sumWhere(invoices.balance, owed)} as outstanding,
    ${countWhere(sql`${owed} and ${isUnsent}`)} as "owedUnsent",
    json_build_array(${sql.join(
      ageConditions.map(
        ({ condition }) => sql`json_build_object('count', ${countWhere(condition)}, 'amount', ${sumWhere(invoices.balance, condition)})`,
      ),
      sql`, `,
    )}) as ages ${fromUnsettled(isListed)}`);
  const [row] = rows;
  if (!row) throw new Error('The summary query returned no row');
  // Without a status filter and for paid invoices, the sums depend on documents beyond the limit.
  const isLimited = row.issued.rows > MAX_SUMMED_ROWS && others.age === undefined;
  const { issued, unpaid, overdue, unsent } = row;
  const open: OpenSums = { ...issued.open, balance: unpaid.balance, overpaid: row.unsettled.overpaid };
  const paid: OpenSums = {
    count: open.count - unpaid.count,
    amount: subtractMoney(open.amount, unpaid.amount),
    tax_amount: subtractMoney(open.tax_amount, unpaid.tax_amount),
    balance: '0.00',
    overpaid: open.overpaid,
  };
  const groups = { unpaid, overdue, paid, unsent };
  const sums = filter === undefined ? open : groups[filter];
  return {
    total:
      filter === undefined ? issued.total : { invoices: sums.count, credit_notes: 0, amount: sums.amount, tax_amount: sums.tax_amount },
    paid: sumMoney([subtractMoney(sums.amount, sums.balance), sums.overpaid]),
    overpaid: sums.overpaid,
    outstanding: { count: row.owed, amount: row.outstanding, unsent: row.owedUnsent },
    ages: ageConditions.map(({ key }, index) => ({ age: key, count: 0, amount: '0.00', ...row.ages[index] })),
    filters: {
      all: isLimited ? null : issued.total.invoices + issued.total.credit_notes,
      unpaid: unpaid.count,
      overdue: overdue.count,
      paid: isLimited ? null : paid.count,
      unsent: unsent.count,
    },
    is_capped: isLimited && (filter === undefined || filter === 'paid'),
  };
}

type SummaryRow = Record<'unsettled' | 'unpaid' | 'overdue' | 'unsent', OpenSums> & {
  readonly issued: IssuedSums;
  readonly owed: number;
  readonly outstanding: string;
  readonly owedUnsent: number;
  readonly ages: readonly { readonly count: number; readonly amount: string }[];
};

/** Counts and sums the balances of open invoices that are unpaid, overdue, or not yet sent to their customers. */
export async function readOpenBalances(scope: TenantScope, today: string) {
  const buildBalance = (condition: SQL) =>
    sql<OpenBalance>`json_build_object('invoices', ${countWhere(condition)}, 'amount', ${sumWhere(invoices.balance, condition)})`;
  const { rows } = await scope.db.execute<Record<'outstanding' | 'overdue' | 'unsent', OpenBalance>>(
    sql`select ${buildBalance(isUnpaid)} as outstanding, ${buildBalance(toCondition(buildStatusFilter('overdue', today)))} as overdue,
      ${buildBalance(isUnsent)} as unsent ${fromUnsettled(inCompany(scope, invoices))}`,
  );
  const [balances] = rows;
  if (!balances) throw new Error('The query for balances returned no row');
  return balances;
}

interface OpenBalance {
  readonly invoices: number;
  readonly amount: string;
}

const LARGEST_DEBT_FIRST = 'total desc';

/** Lists one page of the customers who owe most, and what all of them owe. Deleted customers are grouped by the name on their invoices. */
export async function listDebtors(scope: TenantScope, today: string, cursor?: string): Promise<DebtorList> {
  const position = cursor === undefined ? undefined : decodeCursor(cursor, LARGEST_DEBT_FIRST, [isNumberKey, isTextKey]);
  const conditions = [
    ...DEBT_AGES.map(({ key }) => [key, toCondition(buildAgeFilter(key, today))] as const),
    ['total', sql`true`] as const,
  ];
  const amounts = conditions.map(([key, condition]) => sql`${sumWhere(invoices.balance, condition)} as ${sql.identifier(key)}`);
  const sums = conditions.map(
    ([key]) => sql`${sql.raw(`'${key}'`)}, coalesce(sum(${sql.identifier(key)}::numeric), 0)::numeric(20, 2)::text`,
  );
  const afterCursor = position
    ? sql`where (-total::numeric, customer_name, id) > (-(${position.keys[0]}::numeric), ${position.keys[1]}::text, ${position.id}::uuid)`
    : sql``;
  const { rows } = await scope.db.execute<{ page: (Debtor & { sort_keys: string })[]; total: DebtorList['total'] }>(sql`
    with debtors as materialized (
      select coalesce(${customers.id}, md5(${invoices.customer_key})::uuid) as id, ${customers.id} as customer_id,
        coalesce(max(coalesce(nullif(${customers.company_name}, ''), ${customers.name})), min(${invoices.customer_name})) as customer_name,
        count(*)::int as invoices, ${countWhere(isUnsent)} as unsent, ${sql.join(amounts, sql`, `)}
      from ${invoices} left join ${customers} on ${customers.company_id} = ${invoices.company_id} and ${customers.id} = ${invoices.customer_id}
      where ${and(inCompany(scope, invoices), isUnpaid)} group by 1, 2
    ), page as (
      select *, json_build_array(total, customer_name)::text as sort_keys from debtors ${afterCursor}
      order by total::numeric desc, customer_name, id limit ${sql.raw(String(PAGE_SIZE + 1))}
    )
    select (select coalesce(json_agg(page), '[]') from page) as page, (select json_build_object('customers', count(*)::int,
      'invoices', coalesce(sum(invoices), 0)::int, 'unsent', coalesce(sum(unsent), 0)::int, ${sql.join(sums, sql`, `)}) from debtors) as total`);
  const [found] = rows;
  if (!found) throw new Error('The list of debtors returned no row');
  return { ...buildPage(found.page, PAGE_SIZE, LARGEST_DEBT_FIRST), total: found.total };
}
