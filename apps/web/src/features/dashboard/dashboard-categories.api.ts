import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Jobs per category, without empty categories. In its own file, because the settings page also uses it. */
export const categoryJobCountsQueryOptions = queryOptions({
  queryKey: ['dashboard', 'categories', {}],
  queryFn: ({ signal }) => api.dashboard.categories({}, { signal }),
  meta: { inlineErrors: true, topics: ['jobs', 'categories'] },
});
