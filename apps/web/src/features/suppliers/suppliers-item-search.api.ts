import type { ItemChoice } from '@callout/contract/items';
import { type InfiniteData, keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { pagedQueryOptions } from '../../lib/record-queries.ts';

/** The first element is the topic under which price list changes are published, so those changes refetch the search. */
const SEARCH_KEY = ['suppliers', 'search'];

/** Returns an item that a search has found. */
export function findCachedItem(queryClient: QueryClient, id: string | null | undefined): ItemChoice | undefined {
  const searches = queryClient.getQueriesData<InfiniteData<{ rows: ItemChoice[] }>>({ queryKey: SEARCH_KEY });
  const rows = searches.flatMap(([, data]) => data?.pages.flatMap((page) => page.rows) ?? []);
  return rows.find((item) => item.id === id);
}

export function itemSearchQueryOptions(search: string) {
  const key = [...SEARCH_KEY, search];
  return {
    ...pagedQueryOptions(key, (page, options) => api.items.search({ ...(search ? { search } : {}), ...page }, options)),
    placeholderData: keepPreviousData,
  };
}
