import type { Customer, CustomerChange, CustomerContact, CustomerPage, CustomerRow, NewCustomer } from '@callout/contract/customers';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { patchRows } from '../../lib/query-cache.ts';
import type { CustomerFilter } from './customer-filter.ts';

const keys = {
  all: ['customers'],
  lists: ['customers', 'list'],
  counts: ['customers', 'count'],
  detail: (id: string) => ['customers', 'detail', id],
};

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

export function customersListOptions(filter: CustomerFilter) {
  return infiniteQueryOptions({
    queryKey: [...keys.lists, filter],
    queryFn: ({ pageParam, signal }) => api.customers.list({ ...filter, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    meta,
  });
}

export function customersCountOptions({ search, status }: Pick<CustomerFilter, 'search' | 'status'> = {}) {
  const filter = { ...(search ? { search } : {}), ...(status ? { status } : {}) };
  return queryOptions({
    queryKey: [...keys.counts, filter],
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

export function customerOptions(id: string) {
  return queryOptions({ queryKey: keys.detail(id), queryFn: ({ signal }) => api.customers.get({ id }, { signal }), meta });
}

/** What a list that was seen before knows of a customer. */
export function knownCustomer(queryClient: QueryClient, id: string): CustomerRow | undefined {
  const lists = queryClient.getQueriesData<InfiniteData<CustomerPage>>({ queryKey: keys.lists });
  return lists.flatMap(([, list]) => list?.pages.flatMap(({ rows }) => rows) ?? []).find((row) => row.id === id);
}

export function useCreateCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (customer: NewCustomer) => api.customers.create(customer),
    onSuccess: (customer) => queryClient.setQueryData(customerOptions(customer.id).queryKey, customer),
    meta: {
      success: 'Customer added successfully',
      failure: 'Failed to add customer: {message}',
      refreshes: [keys.lists, keys.counts],
      inlineErrors: true,
    },
  });
}

export function useUpdateCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: CustomerChange) => api.customers.update(change),
    onSuccess: (customer) => {
      queryClient.setQueryData(customerOptions(customer.id).queryKey, customer);
      patchRows<CustomerRow>(queryClient, keys.lists, customer.id, customer);
    },
    meta: {
      success: 'Customer updated successfully',
      failure: 'Failed to update customer: {message}',
      refreshes: [keys.all],
      inlineErrors: true,
    },
  });
}

export function useDeleteCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Customer) => api.customers.remove({ id }),
    onSuccess: (_answer, { id }) => patchRows(queryClient, keys.lists, id),
    meta: {
      success: 'Customer deleted successfully',
      failure: 'Failed to delete customer: {message}',
      refreshes: [keys.lists, keys.counts],
    },
  });
}

/** After a deletion the page has been left: nothing may show the customer again, nor ask for it. */
export function forgetCustomer(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: keys.detail(id) });
}
