import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { pagedOptions } from '../../lib/record-queries.ts';
import type { InvoiceCriteria, InvoiceListFilter } from './invoice-list-filter.ts';

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

export const invoicesListOptions = (filter: InvoiceListFilter) => ({
  ...pagedOptions(['invoices', 'list', filter], (page, options) => api.invoices.list({ ...filter, ...page }, options)),
  placeholderData: keepPreviousData,
});

/** The sums of the rows that the same criteria list. */
export function invoiceSummaryOptions(criteria: InvoiceCriteria) {
  return queryOptions({
    queryKey: ['invoices', 'summary', criteria],
    queryFn: ({ signal }) => api.invoices.summary(criteria, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });
}

/** What one customer owes. Nothing of another customer shows while it is read. */
export const customerOwesOptions = (customerId: string) =>
  queryOptions({
    queryKey: ['invoices', 'summary', { customer_id: customerId }],
    queryFn: ({ signal }) => api.invoices.summary({ customer_id: customerId }, { signal }),
    meta,
  });

export const debtorsOptions = queryOptions({
  queryKey: ['invoices', 'debtors'],
  queryFn: ({ signal }) => api.invoices.debtors({}, { signal }),
  // Who was deleted leads to other invoices.
  meta: { ...meta, topics: ['customers'] },
});
