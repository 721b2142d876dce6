import type { InvoiceRow } from '@callout/contract/invoices';
import { getDisplayDaysLate, getInvoiceDisplayStatus, getLateAfterDate } from '@callout/domain/invoices/invoice';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantQuery } from '../../platform/http/calls.ts';
import { readTimezone } from '../company/company.sql.ts';
import { buildInvoiceFilter, type InvoiceQuery, invoiceList, listDebtors, readInvoiceSummary } from './invoice-list.sql.ts';

export const invoiceListHandlers = {
  list: calls.invoices.list.handler(
    tenantQuery(async (scope, { input: { sort, order, cursor, ...filters } }) => {
      const filter = buildInvoiceFilter(filters, await readFilterDate(scope, filters));
      const { rows, next_cursor } = await listRecords(scope, invoiceList, { ...filter, sort, order, cursor });
      return { rows: withDisplayStatus(scope, rows), next_cursor };
    }),
  ),

  count: calls.invoices.count.handler(
    tenantQuery(async (scope, { input }) => ({
      total: await countRecords(scope, invoiceList, buildInvoiceFilter(input, await readFilterDate(scope, input))),
    })),
  ),

  summary: calls.invoices.summary.handler(
    tenantQuery(async (scope, { input }) => readInvoiceSummary(scope, input, await readCompanyToday(scope))),
  ),

  debtors: calls.invoices.debtors.handler(
    tenantQuery(async (scope, { input }) => listDebtors(scope, await readCompanyToday(scope), input.cursor)),
  ),
};

export async function readCompanyToday(scope: TenantScope): Promise<string> {
  return toLocalDate(scope.now, await readTimezone(scope));
}

/** Returns the company's date for the overdue and age filters. Other filters ignore the date, so they skip reading the time zone. */
async function readFilterDate(scope: TenantScope, { filter, age }: Pick<InvoiceQuery, 'filter' | 'age'>): Promise<string> {
  return filter === 'overdue' || age !== undefined ? readCompanyToday(scope) : toLocalDate(scope.now, 'UTC');
}

/** Adds the displayed status and the days late. All rows contain the same time zone, so the first row's is used. */
export function withDisplayStatus<
  Row extends Omit<InvoiceRow, 'shown_status' | 'days_late'> & { sent_on: string | null; timezone: string | null },
>({ now }: Pick<TenantScope, 'now'>, rows: readonly Row[]) {
  const today = toLocalDate(now, rows[0]?.timezone ?? 'UTC');
  return rows.map(({ timezone: _, sent_on, ...row }) => ({
    ...row,
    late_after: getLateAfterDate({ ...row, sent_on }),
    shown_status: getInvoiceDisplayStatus({ ...row, sent_on }, today),
    days_late: getDisplayDaysLate({ ...row, sent_on }, today),
  }));
}
