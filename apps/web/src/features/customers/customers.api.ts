import type { CustomerContact } from '@callout/contract/customers';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineRecordQueries } from '../../lib/record-queries.ts';
import type { CustomerFilter } from './customer-list-filter.ts';

const customers = defineRecordQueries({ key: ['customers'], calls: api.customers, toRow: (customer) => customer });

export const customerListQueryOptions = customers.listQueryOptions;
export const customerQueryOptions = customers.detailQueryOptions;
export const findCachedCustomer = customers.findCachedRow;
export const evictCustomer = customers.evictRecord;

const QUERY_META = { inlineErrors: true };

export function customerCountQueryOptions({ search, status }: Pick<CustomerFilter, 'search' | 'status'> = {}) {
  const filter = { ...(search ? { search } : {}), ...(status ? { status } : {}) };
  return queryOptions({
    queryKey: [...customers.keys.counts, filter],
    queryFn: ({ signal }) => api.customers.count(filter, { signal }),
    placeholderData: keepPreviousData,
    meta: QUERY_META,
  });
}

export function customerDuplicatesQueryOptions(contact: Partial<CustomerContact>) {
  return queryOptions({
    queryKey: ['customers', 'duplicates', contact],
    queryFn: ({ signal }) => api.customers.duplicates(contact, { signal }),
    meta: QUERY_META,
  });
}

export const useCreateCustomer = () =>
  customers.useCreate({ success: 'Customer added successfully', failure: 'Failed to add customer: {message}' });

export const useUpdateCustomer = () =>
  customers.useUpdate({ success: 'Customer updated successfully', failure: 'Failed to update customer: {message}' });

export const useDeleteCustomer = () =>
  customers.useDelete({ success: 'Customer deleted successfully', failure: 'Failed to delete customer: {message}' });
