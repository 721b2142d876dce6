import type { Item, ItemChange, ItemRow, ItemSort, NewItem } from '@callout/contract/items';
import type { NewSupplier, Supplier, SupplierChange, SupplierRow } from '@callout/contract/suppliers';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import type { ListFilter } from '../../lib/list-filter.tsx';
import { patchRows } from '../../lib/query-cache.ts';

/** Items change with the topic of their suppliers. */
const keys = {
  all: ['suppliers'],
  lists: ['suppliers', 'list'],
  detail: (id: string) => ['suppliers', 'detail', id],
  itemLists: ['suppliers', 'items'],
  item: (id: string) => ['suppliers', 'item', id],
};

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor ?? undefined,
  meta,
};

export function suppliersListOptions(search: string | undefined) {
  const filter = search ? { search } : {};
  return infiniteQueryOptions({
    ...paged,
    queryKey: [...keys.lists, filter],
    queryFn: ({ pageParam, signal }) => api.suppliers.list({ ...filter, cursor: pageParam }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export type ItemFilter = ListFilter<ItemSort, never>;

export function itemsListOptions(supplierId: string, filter: ItemFilter) {
  return infiniteQueryOptions({
    ...paged,
    queryKey: [...keys.itemLists, supplierId, filter],
    queryFn: ({ pageParam, signal }) => api.items.list({ supplier_id: supplierId, ...filter, cursor: pageParam }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function supplierOptions(id: string) {
  return queryOptions({ queryKey: keys.detail(id), queryFn: ({ signal }) => api.suppliers.get({ id }, { signal }), meta });
}

/** A list that was seen before knows all of an item, so its dialog opens at once. */
export function itemOptions(queryClient: QueryClient, id: string) {
  return queryOptions({
    queryKey: keys.item(id),
    queryFn: ({ signal }) => api.items.get({ id }, { signal }),
    placeholderData: () => knownRow(queryClient.getQueriesData<Pages<ItemRow>>({ queryKey: keys.itemLists }), id),
    meta,
  });
}

export function knownSupplier(queryClient: QueryClient, id: string): SupplierRow | undefined {
  return knownRow(queryClient.getQueriesData<Pages<SupplierRow>>({ queryKey: keys.lists }), id);
}

type Pages<Row> = InfiniteData<{ rows: Row[] }>;

function knownRow<Row extends { id: string }>(lists: readonly [QueryKey, Pages<Row> | undefined][], id: string): Row | undefined {
  return lists.flatMap(([, list]) => list?.pages.flatMap(({ rows }) => rows) ?? []).find((row) => row.id === id);
}

export function useCreateSupplier() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (supplier: NewSupplier) => api.suppliers.create(supplier),
    onSuccess: (supplier) => queryClient.setQueryData(supplierOptions(supplier.id).queryKey, supplier),
    meta: {
      success: 'Supplier added successfully',
      failure: 'Failed to add supplier: {message}',
      refreshes: [keys.lists],
      inlineErrors: true,
    },
  });
}

export function useUpdateSupplier() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: SupplierChange) => api.suppliers.update(change),
    onSuccess: (supplier) => {
      queryClient.setQueryData(supplierOptions(supplier.id).queryKey, supplier);
      patchRows<SupplierRow>(queryClient, keys.lists, supplier.id, supplier);
    },
    meta: {
      success: 'Supplier updated successfully',
      failure: 'Failed to update supplier: {message}',
      refreshes: [keys.all],
      inlineErrors: true,
    },
  });
}

export function useDeleteSupplier() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Supplier) => api.suppliers.remove({ id }),
    onSuccess: (_answer, { id }) => patchRows(queryClient, keys.lists, id),
    meta: {
      success: 'Supplier deleted successfully',
      failure: 'Failed to delete supplier: {message}',
      refreshes: [keys.lists],
    },
  });
}

/** After a deletion the page has been left: nothing may show the supplier or its items again, nor ask for them. */
export function forgetSupplier(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: keys.detail(id) });
  queryClient.removeQueries({ queryKey: [...keys.itemLists, id] });
}

/** The field shows that the SKU is taken. */
const itemFailure = (words: string) => (error: unknown) => (hasCode(error, 'SKU_TAKEN') ? undefined : `${words}: ${messageOf(error)}`);

/** The lists of suppliers, too: they count the items. */
const itemRefreshes = [keys.lists, keys.itemLists];

export function useCreateItem() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (item: NewItem) => api.items.create(item),
    onSuccess: (item) => queryClient.setQueryData(keys.item(item.id), item),
    meta: {
      success: 'Item added successfully',
      failure: itemFailure('Failed to add item'),
      refreshes: itemRefreshes,
      inlineErrors: true,
    },
  });
}

export function useUpdateItem() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: ItemChange) => api.items.update(change),
    onSuccess: (item) => {
      queryClient.setQueryData(keys.item(item.id), item);
      patchRows<ItemRow>(queryClient, keys.itemLists, item.id, item);
    },
    meta: {
      success: 'Item updated successfully',
      failure: itemFailure('Failed to update item'),
      refreshes: itemRefreshes,
      inlineErrors: true,
    },
  });
}

export function useDeleteItem() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Item) => api.items.remove({ id }),
    onSuccess: (_answer, { id }) => {
      patchRows(queryClient, keys.itemLists, id);
      queryClient.removeQueries({ queryKey: keys.item(id) });
    },
    meta: {
      success: 'Item deleted successfully',
      failure: 'Failed to delete item: {message}',
      refreshes: itemRefreshes,
    },
  });
}
