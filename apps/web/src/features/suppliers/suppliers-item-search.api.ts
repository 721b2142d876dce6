import type { ItemChoice } from '@callout/contract/items';
import { type InfiniteData, keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { isServerUnreachable } from '../../lib/error-messages.ts';
import { shouldRetry } from '../../lib/query-client.ts';
import { pagedQueryOptions } from '../../lib/record-queries.ts';

/** The first element is the topic under which price list changes are published, so those changes refetch the search. */
const SEARCH_KEY = ['suppliers', 'search'];
/** A slower answer isn't waited for if the device has stored the price list. */
const SLOW_ANSWER_MS = 1_500;

/** Returns an item that a search has found. */
export function findCachedItem(queryClient: QueryClient, id: string | null | undefined): ItemChoice | undefined {
  const searches = queryClient.getQueriesData<InfiniteData<{ rows: ItemChoice[] }>>({ queryKey: SEARCH_KEY });
  const rows = searches.flatMap(([, data]) => data?.pages.flatMap((page) => page.rows) ?? []);
  return rows.find((item) => item.id === id);
}

interface ItemPage {
  rows: ItemChoice[];
  next_cursor: string | null;
}

/** Searches the price list on the server. While that isn't reached or is slow, searches the one that this device has stored. */
export function itemSearchQueryOptions(search: string) {
  return {
    ...pagedQueryOptions([...SEARCH_KEY, search], async (page, options): Promise<ItemPage> => {
      const answer = api.items.search({ ...(search ? { search } : {}), ...page }, options);
      return page.cursor === undefined ? ((await findInTime(answer)) ?? (await searchDevice(search)) ?? answer) : answer;
    }),
    networkMode: 'always' as const,
    retry: (failures: number, error: unknown) => navigator.onLine && shouldRetry(failures, error),
    placeholderData: keepPreviousData,
  };
}

/** Resolves to undefined if the server doesn't answer, or not in time. */
async function findInTime(answer: Promise<ItemPage>): Promise<ItemPage | undefined> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, SLOW_ANSWER_MS));
  try {
    return await Promise.race([answer, timeout]);
  } catch (error) {
    if (isServerUnreachable(error)) return undefined;
    throw error;
  }
}

async function searchDevice(search: string): Promise<ItemPage | undefined> {
  try {
    const { searchPriceList } = await import('./suppliers-price-list.api.ts');
    const rows = await searchPriceList(search);
    return rows && { rows, next_cursor: null };
  } catch {
    // The browser may deny access to its database.
    return undefined;
  }
}
