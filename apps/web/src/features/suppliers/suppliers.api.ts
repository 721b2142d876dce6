import type { ItemSort } from '@callout/contract/items';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import type { ListFilter } from '../../lib/list-filter.ts';
import { defineRecordQueries } from '../../lib/record-queries.ts';

const suppliers = defineRecordQueries({ key: ['suppliers'], calls: api.suppliers, toRow: (supplier) => supplier });

/** The key starts with 'suppliers', because item changes are published under that topic. */
const items = defineRecordQueries({ key: ['suppliers', 'items'], calls: api.items, toRow: (item) => item });

export const suppliersListQueryOptions = (search: string | undefined) => suppliers.listQueryOptions(search ? { search } : {});
/** All active suppliers, for a choice. */
export const activeSuppliersQueryOptions = queryOptions({
  queryKey: [...suppliers.keys.all, 'active'],
  queryFn: async ({ signal }) => {
    const rows = [];
    let cursor: string | undefined;
    do {
      const page = await api.suppliers.list({ cursor }, { signal });
      rows.push(...page.rows.filter(({ status }) => status === 'active'));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return rows;
  },
  meta: { inlineErrors: true },
});

export const supplierQueryOptions = suppliers.detailQueryOptions;
export const findCachedSupplier = suppliers.findCachedRow;

/** Evicts a deleted supplier. Call it after leaving the supplier's page, which would otherwise refetch the supplier. */
export function evictSupplier(queryClient: QueryClient, id: string): void {
  suppliers.evictRecord(queryClient, id);
  queryClient.removeQueries({ queryKey: [...items.keys.lists, { supplier_id: id }] });
}

export const useCreateSupplier = () =>
  suppliers.useCreate({ success: 'Supplier added successfully', failure: 'Failed to add supplier: {message}' });

export const useUpdateSupplier = () =>
  suppliers.useUpdate({ success: 'Supplier updated successfully', failure: 'Failed to update supplier: {message}' });

export const useDeleteSupplier = () =>
  suppliers.useDelete({ success: 'Supplier deleted successfully', failure: 'Failed to delete supplier: {message}' });

export type ItemFilter = ListFilter<ItemSort, never>;

export const itemsListQueryOptions = (supplierId: string, filter: ItemFilter) =>
  items.listQueryOptions({ supplier_id: supplierId, ...filter });

/** Cached lists hold complete items, so the dialog opens without waiting for the server. */
export const itemQueryOptions = (queryClient: QueryClient, id: string) =>
  queryOptions({ ...items.detailQueryOptions(id), placeholderData: () => items.findCachedRow(queryClient, id) });

/** Returns no message if the SKU is already in use, because the SKU field displays that error. */
const formatItemError = (prefix: string) => (error: unknown) =>
  hasErrorCode(error, 'SKU_TAKEN') ? undefined : `${prefix}: ${getErrorMessage(error)}`;

/** Item changes also refetch the supplier lists, which show how many items each supplier has. */
const listKeys = [suppliers.keys.lists, items.keys.lists];

export const useCreateItem = () =>
  items.useCreate({ success: 'Item added successfully', failure: formatItemError('Failed to add item'), invalidates: listKeys });

export const useUpdateItem = () =>
  items.useUpdate({ success: 'Item updated successfully', failure: formatItemError('Failed to update item'), invalidates: listKeys });

export const useDeleteItem = () =>
  items.useDelete({ success: 'Item deleted successfully', failure: 'Failed to delete item: {message}', invalidates: listKeys });
