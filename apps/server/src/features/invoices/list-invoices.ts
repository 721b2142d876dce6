import type { InvoiceRow } from '@callout/contract/invoices';
import { shownDaysLate, shownInvoiceStatus } from '@callout/domain/invoices/invoice';
import { localDate } from '@callout/domain/time/zoned-time';
import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantQuery } from '../../platform/http/calls.ts';
import { readTimezone } from '../company/company.sql.ts';
import { invoiceFilter, invoiceList, readDebtors, readSummary } from './invoice-list.sql.ts';

export const invoiceListHandlers = {
  list: calls.invoices.list.handler(
    tenantQuery(async (scope, { input: { sort, order, cursor, ...asked } }) => {
      const filter = invoiceFilter(asked, await readDayFor(scope, asked));
      const { rows, next_cursor } = await listRecords(scope, invoiceList, { ...filter, sort, order, cursor });
      return { rows: asShown(scope, rows), next_cursor };
    }),
  ),

  count: calls.invoices.count.handler(
    tenantQuery(async (scope, { input }) => ({
      total: await countRecords(scope, invoiceList, invoiceFilter(input, await readDayFor(scope, input))),
    })),
  ),

  summary: calls.invoices.summary.handler(tenantQuery(async (scope, { input }) => readSummary(scope, input, await readToday(scope)))),

  debtors: calls.invoices.debtors.handler(tenantQuery(async (scope) => readDebtors(scope, await readToday(scope)))),
};

/** In the company's time zone. */
export async function readToday(scope: TenantScope): Promise<string> {
  return localDate(scope.now, await readTimezone(scope));
}

/** Only what is overdue, and how long, depends on the company's day: without it the list takes one round trip. */
async function readDayFor(scope: TenantScope, { filter, age }: { filter?: string | undefined; age?: string | undefined }): Promise<string> {
  return filter === 'overdue' || age !== undefined ? readToday(scope) : localDate(scope.now, 'UTC');
}

/** The company's zone comes with the rows; all of them have the same. */
export function asShown<Row extends Omit<InvoiceRow, 'shown_status' | 'days_late'> & { timezone: string | null }>(
  { now }: Pick<TenantScope, 'now'>,
  rows: readonly Row[],
) {
  const today = localDate(now, rows[0]?.timezone ?? 'UTC');
  return rows.map(({ timezone: _, ...row }) => ({
    ...row,
    shown_status: shownInvoiceStatus(row, today),
    days_late: shownDaysLate(row, today),
  }));
}
