import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { CustomerFilter } from './customer-filter.ts';

export const CUSTOMER_COUNTS = ['customers', 'count'];

/** Apart from the other calls, because the first screen needs only this one. */
export function customersCountOptions({ search, status }: Pick<CustomerFilter, 'search' | 'status'> = {}) {
  const filter = { ...(search ? { search } : {}), ...(status ? { status } : {}) };
  return queryOptions({
    queryKey: [...CUSTOMER_COUNTS, filter],
    queryFn: ({ signal }) => api.customers.count(filter, { signal }),
    placeholderData: keepPreviousData,
    meta: { inlineErrors: true },
  });
}
