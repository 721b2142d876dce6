import type { ItemSort } from '@callout/contract/items';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import type { ListFilter } from '../../lib/list-filter.ts';
import { defineRecordQueries } from '../../lib/record-queries.ts';

const suppliers = defineRecordQueries({ key: ['suppliers'], calls: api.suppliers, rowOf: (supplier) => supplier });

/** Items change with the topic of their suppliers. */
const items = defineRecordQueries({ key: ['suppliers', 'items'], calls: api.items, rowOf: (item) => item });

export const suppliersListOptions = (search: string | undefined) => suppliers.listOptions(search ? { search } : {});
export const supplierOptions = suppliers.detailOptions;
export const knownSupplier = suppliers.known;

/** After a deletion the page has been left: nothing may show the supplier or its items again, nor ask for them. */
export function forgetSupplier(queryClient: QueryClient, id: string): void {
  suppliers.forget(queryClient, id);
  queryClient.removeQueries({ queryKey: [...items.keys.lists, { supplier_id: id }] });
}

export const useCreateSupplier = () =>
  suppliers.useCreate({ success: 'Supplier added successfully', failure: 'Failed to add supplier: {message}' });

export const useUpdateSupplier = () =>
  suppliers.useUpdate({ success: 'Supplier updated successfully', failure: 'Failed to update supplier: {message}' });

export const useDeleteSupplier = () =>
  suppliers.useDelete({ success: 'Supplier deleted successfully', failure: 'Failed to delete supplier: {message}' });

export type ItemFilter = ListFilter<ItemSort, never>;

export const itemsListOptions = (supplierId: string, filter: ItemFilter) => items.listOptions({ supplier_id: supplierId, ...filter });

/** A list that was seen before knows all of an item, so its dialog opens at once. */
export const itemOptions = (queryClient: QueryClient, id: string) =>
  queryOptions({ ...items.detailOptions(id), placeholderData: () => items.known(queryClient, id) });

/** The field shows that the SKU is taken. */
const itemFailure = (words: string) => (error: unknown) => (hasCode(error, 'SKU_TAKEN') ? undefined : `${words}: ${messageOf(error)}`);

/** The lists of suppliers, too: they count the items. */
const refreshes = [suppliers.keys.lists, items.keys.lists];

export const useCreateItem = () =>
  items.useCreate({ success: 'Item added successfully', failure: itemFailure('Failed to add item'), refreshes });

export const useUpdateItem = () =>
  items.useUpdate({ success: 'Item updated successfully', failure: itemFailure('Failed to update item'), refreshes });

export const useDeleteItem = () =>
  items.useDelete({ success: 'Item deleted successfully', failure: 'Failed to delete item: {message}', refreshes });
