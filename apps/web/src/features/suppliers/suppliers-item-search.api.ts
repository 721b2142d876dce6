import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { pagedOptions } from '../../lib/record-queries.ts';

/** Items of all suppliers, to pick one. */
export function itemSearchOptions(search: string) {
  // The first word is the topic that changes of price lists are published under.
  const key = ['suppliers', 'search', search];
  return {
    ...pagedOptions(key, (page, options) => api.items.search({ ...(search ? { search } : {}), ...page }, options)),
    placeholderData: keepPreviousData,
  };
}
