import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { pagedQueryOptions } from '../../lib/record-queries.ts';
import type { InvoiceCriteria, InvoiceListFilter } from './invoice-list-filter.ts';

const queryMeta = { inlineErrors: true };

export const invoicesListQueryOptions = (filter: InvoiceListFilter) => ({
  ...pagedQueryOptions(['invoices', 'list', filter], (page, options) => api.invoices.list({ ...filter, ...page }, options)),
  placeholderData: keepPreviousData,
});

export function invoiceSummaryQueryOptions(criteria: InvoiceCriteria) {
  return queryOptions({
    queryKey: ['invoices', 'summary', criteria],
    queryFn: ({ signal }) => api.invoices.summary(criteria, { signal }),
    placeholderData: keepPreviousData,
    meta: queryMeta,
  });
}

/** Has no placeholder data, so that another customer's debt never appears while loading. */
export const customerOutstandingQueryOptions = (customerId: string) =>
  queryOptions({
    queryKey: ['invoices', 'summary', { customer_id: customerId }],
    queryFn: ({ signal }) => api.invoices.summary({ customer_id: customerId }, { signal }),
    meta: queryMeta,
  });

export const debtorsQueryOptions = {
  ...pagedQueryOptions(['invoices', 'debtors'], (page, options) => api.invoices.debtors(page, options)),
  // Also refetched when customers change, because a deleted customer's row links to the invoices by name instead of by id.
  meta: { ...queryMeta, topics: ['customers'] },
};
