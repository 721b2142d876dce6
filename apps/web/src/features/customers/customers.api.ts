import type { CustomerContact } from '@callout/contract/customers';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineRecordQueries } from '../../lib/record-queries.ts';
import type { CustomerFilter } from './customer-filter.ts';

const customers = defineRecordQueries({ key: ['customers'], calls: api.customers, rowOf: (customer) => customer });

export const customersListOptions = customers.listOptions;
export const customerOptions = customers.detailOptions;
export const knownCustomer = customers.known;
export const forgetCustomer = customers.forget;

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

export function customersCountOptions({ search, status }: Pick<CustomerFilter, 'search' | 'status'> = {}) {
  const filter = { ...(search ? { search } : {}), ...(status ? { status } : {}) };
  return queryOptions({
    queryKey: [...customers.keys.counts, filter],
    queryFn: ({ signal }) => api.customers.count(filter, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });
}

export function duplicatesOptions(contact: Partial<CustomerContact>) {
  return queryOptions({
    queryKey: ['customers', 'duplicates', contact],
    queryFn: ({ signal }) => api.customers.duplicates(contact, { signal }),
    meta,
  });
}

export const useCreateCustomer = () =>
  customers.useCreate({ success: 'Customer added successfully', failure: 'Failed to add customer: {message}' });

export const useUpdateCustomer = () =>
  customers.useUpdate({ success: 'Customer updated successfully', failure: 'Failed to update customer: {message}' });

export const useDeleteCustomer = () =>
  customers.useDelete({ success: 'Customer deleted successfully', failure: 'Failed to delete customer: {message}' });
