import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { pagedQueryOptions } from '../../lib/record-queries.ts';
import type { PaymentCriteria, PaymentListFilter } from './payment-list-filter.ts';

/** The keys start with the topic that the server publishes for every payment. */
export const paymentsListQueryOptions = (filter: PaymentListFilter) => ({
  ...pagedQueryOptions(['invoices', 'payments', filter], (page, options) => api.payments.list({ ...filter, ...page }, options)),
  placeholderData: keepPreviousData,
});

export const paymentSummaryQueryOptions = (criteria: PaymentCriteria) =>
  queryOptions({
    queryKey: ['invoices', 'payment-summary', criteria],
    queryFn: ({ signal }) => api.payments.summary(criteria, { signal }),
    placeholderData: keepPreviousData,
    meta: { inlineErrors: true },
  });
