import { Payment } from '@callout/contract/invoices';
import type { PaymentFilters, PaymentRow, PaymentSummary } from '@callout/contract/payments';
import { parseSearchedAmount } from '@callout/domain/money/amount';
import { parseSearchWords } from '@callout/domain/search/search-text';
import { MAX_SUMMED_ROWS } from '@callout/domain/text/count-format';
import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { buildListCondition, defineList } from '../../platform/db/keyset-list.ts';
import { inCompany, pickColumns } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { jobs, payment_days, payments } from '../jobs/jobs.table.ts';

const reversals = alias(payments, 'reversals');
const reversed = alias(payments, 'reversed');
const isOfJob = sql`${jobs.company_id} = ${payments.company_id} and ${jobs.id} = ${payments.job_id}`;

export const paymentList = defineList({
  table: payments,
  columns: {
    ...pickColumns(payments, Payment.omit({ is_reversed: true })),
    job_id: payments.job_id,
    customer_name: payments.customer_name,
    // For EXISTS, the planner would read all payments of the company at once.
    is_reversed: sql<boolean>`(select ${reversals.id} from ${payments} as reversals where ${reversals.company_id} = ${payments.company_id}
      and ${reversals.reverses} = ${payments.id}) is not null`,
    job_number: sql<string>`(select ${jobs.job_number} from ${jobs} where ${isOfJob})`,
    job_title: sql<string>`coalesce(${payments.job_title}, (select ${jobs.title} from ${jobs} where ${isOfJob}))`,
    is_invoice_canceled: sql<boolean>`(select ${jobs.is_invoice_canceled} from ${jobs} where ${isOfJob})`,
    currency: sql<string | null>`(select ${jobs.currency} from ${jobs} where ${isOfJob})`,
    // Until the queue has completed payments of earlier releases (`completeEarlierPayments`), they are looked up as it will store them.
    invoice_number: sql<PaymentRow['invoice_number']>`case when ${payments.job_title} is not null then ${payments.invoice_number}
      else find_invoice_number_at(${payments.company_id}, ${payments.job_id}, coalesce((select ${reversed.recorded_at} from ${payments} as reversed
        where ${reversed.company_id} = ${payments.company_id} and ${reversed.id} = ${payments.reverses}), ${payments.recorded_at})) end`,
  },
  sorts: { paid_on: [payments.paid_on, payments.recorded_at], amount: [payments.amount], customer: [payments.customer_key] },
  filters: {
    method: payments.method,
    // Amounts have cents, so this is equality. Unlike =, which isn't leakproof, it can use an index under row-level security.
    amount: (amount) => sql`${payments.amount} > ${amount}::numeric - 0.01 and ${payments.amount} < ${amount}::numeric + 0.01`,
    from: (day) => sql`${payments.paid_on} >= ${day}::date`,
    to: (day) => sql`${payments.paid_on} <= ${day}::date`,
  },
  search: { text: payments.search_text, ranked: { customer: payments.customer_key }, rankedSort: 'customer' },
});

/** Turns a search for an amount, such as '1,234.50', into a filter for exactly that amount, which an index finds. */
export function withSearchedAmount<Input extends { readonly search?: string | undefined }>({ search, ...input }: Input) {
  const amount = parseSearchedAmount(search ?? '');
  return amount === null ? { ...input, search } : { ...input, amount };
}

const sum = (column: SQL) => sql<string>`coalesce(sum(${column}), 0)::numeric(20, 2)::text`;

/** Adds up the days of the period. With a search, adds up the payments themselves, but at most `MAX_SUMMED_ROWS`. */
export async function readPaymentSummary(scope: TenantScope, filters: PaymentFilters): Promise<PaymentSummary> {
  const query = withSearchedAmount(filters);
  const isSearch = 'amount' in query || parseSearchWords(filters.search ?? '').length > 0;
  const source = isSearch
    ? sql`(select 1 as entries, ("reverses" is not null)::int as reversals, "amount", "fee" from ${payments} where ${await buildListCondition(scope, paymentList, query)}
        limit ${MAX_SUMMED_ROWS + 1})`
    : sql`(select "entries", "reversals", "amount", "fee" from ${payment_days} where ${isInDays(scope, filters)})`;
  const { rows } = await scope.db.execute<Omit<PaymentSummary, 'is_capped'>>(
    sql`select coalesce(sum(entries), 0)::int as entries, coalesce(sum(reversals), 0)::int as reversals, ${sum(sql`amount`)} as amount,
      ${sum(sql`fee`)} as fee from ${source} found`,
  );
  const [sums] = rows;
  if (!sums) throw new Error('The summary query returned no row');
  return { ...sums, is_capped: isSearch && sums.entries > MAX_SUMMED_ROWS };
}

function isInDays(scope: TenantScope, filters: PaymentFilters): SQL | undefined {
  return and(
    inCompany(scope, payment_days),
    filters.method === undefined ? undefined : eq(payment_days.method, filters.method),
    filters.from === undefined ? undefined : gte(payment_days.paid_on, filters.from),
    filters.to === undefined ? undefined : lte(payment_days.paid_on, filters.to),
  );
}
