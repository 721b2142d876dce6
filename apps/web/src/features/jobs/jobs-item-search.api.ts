import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Items of all suppliers, to pick one. */
export function itemSearchOptions(search: string) {
  return infiniteQueryOptions({
    // The first word is the topic that changes of price lists are published under.
    queryKey: ['suppliers', 'search', search],
    queryFn: ({ pageParam, signal }) => api.items.search({ ...(search ? { search } : {}), cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    meta: { inlineErrors: true },
  });
}
