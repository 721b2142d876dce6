import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { pagedQueryOptions } from '../../lib/record-queries.ts';

export function itemSearchQueryOptions(search: string) {
  // The first element is the topic under which price list changes are published, so those changes refetch the search.
  const key = ['suppliers', 'search', search];
  return {
    ...pagedQueryOptions(key, (page, options) => api.items.search({ ...(search ? { search } : {}), ...page }, options)),
    placeholderData: keepPreviousData,
  };
}
