import type { Customer, CustomerChange, CustomerRow, NewCustomer } from '@callout/contract/customers';
import type { CustomerStatus } from '@callout/domain/customers/customer';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { CustomerFilter } from './customer-filter.ts';
import { type CustomerPages, withCustomer, withoutCustomer } from './customers-cache.ts';
import { CUSTOMER_COUNTS, customersCountOptions } from './customers-count.api.ts';

const keys = {
  all: ['customers'],
  lists: ['customers', 'list'],
  list: (filter: CustomerFilter) => [...keys.lists, filter],
  counts: CUSTOMER_COUNTS,
  detail: (id: string) => ['customers', 'detail', id],
};

/** The screens show a failed read in place, with Retry. */
const saysItself = { quiet: true };

export function customersListOptions(filter: CustomerFilter) {
  return infiniteQueryOptions({
    queryKey: keys.list(filter),
    queryFn: ({ pageParam, signal }) => api.customers.list({ ...filter, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    meta: saysItself,
  });
}

export function customerOptions(id: string) {
  return queryOptions({
    queryKey: keys.detail(id),
    queryFn: ({ signal }) => api.customers.get({ id }, { signal }),
    meta: saysItself,
  });
}

/** What a list that was seen before knows of a customer. */
export function knownCustomer(queryClient: QueryClient, id: string): CustomerRow | undefined {
  const lists = queryClient.getQueriesData<CustomerPages>({ queryKey: keys.lists });
  return lists.flatMap(([, list]) => list?.pages.flatMap((page) => page.rows) ?? []).find((row) => row.id === id);
}

export function useCreateCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (customer: NewCustomer) => api.customers.create(customer),
    onSuccess: (customer) => {
      queryClient.setQueryData(customerOptions(customer.id).queryKey, customer);
      adjustCounts(queryClient, customer.status, 1);
    },
    onSettled: () => refresh(queryClient),
  });
}

export function useUpdateCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: CustomerChange) => api.customers.update(change),
    onMutate: ({ id, name, email, phone, address, company_name, status }) =>
      optimistically(queryClient, () =>
        patchLists(queryClient, (pages) => withCustomer(pages, { id, name, email, phone, address, company_name, status })),
      ),
    onSuccess: (customer) => queryClient.setQueryData(customerOptions(customer.id).queryKey, customer),
    onError: (_error, _change, rollBack) => rollBack?.(),
    onSettled: () => refresh(queryClient),
  });
}

export function useDeleteCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Customer) => api.customers.remove({ id }),
    onMutate: ({ id, status }) =>
      optimistically(queryClient, () => {
        patchLists(queryClient, (pages) => withoutCustomer(pages, id));
        adjustCounts(queryClient, status, -1);
      }),
    onError: (_error, _customer, rollBack) => rollBack?.(),
    onSettled: () => refresh(queryClient),
  });
}

/** After a deletion the page has been left: nothing may show the customer again, nor ask for it. */
export function forgetCustomer(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: keys.detail(id) });
}

function patchLists(queryClient: QueryClient, change: (pages: CustomerPages) => CustomerPages): void {
  queryClient.setQueriesData<CustomerPages>({ queryKey: keys.lists }, (pages) => pages && change(pages));
}

/** Searches are left to the fresh read: only the server knows whether a customer fits the term. */
function adjustCounts(queryClient: QueryClient, status: CustomerStatus, by: number): void {
  for (const filter of [{}, { status }]) {
    queryClient.setQueryData(customersCountOptions(filter).queryKey, (count) => count && { total: Math.max(0, count.total + by) });
  }
}

/** Shows the change at once; what is returned puts everything back as it was. */
async function optimistically(queryClient: QueryClient, change: () => void): Promise<() => void> {
  await Promise.all([queryClient.cancelQueries({ queryKey: keys.lists }), queryClient.cancelQueries({ queryKey: keys.counts })]);
  const before = [...queryClient.getQueriesData({ queryKey: keys.lists }), ...queryClient.getQueriesData({ queryKey: keys.counts })];
  change();
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data);
  };
}

/** Lists and counts are read afresh; the detail was answered by the call itself. */
function refresh(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: keys.lists });
  void queryClient.invalidateQueries({ queryKey: keys.counts });
}
