import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Items of all suppliers, to pick one. */
export function itemSearchOptions(search: string) {
  return infiniteQueryOptions({
    queryKey: ['items', 'search', search],
    queryFn: ({ pageParam, signal }) => api.items.search({ ...(search ? { search } : {}), cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    meta: { inlineErrors: true },
  });
}
