import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Number of jobs per category, without unused categories. In its own file, because the settings page needs only this query. */
export const categoryJobCountsQueryOptions = queryOptions({
  queryKey: ['dashboard', 'categories', {}],
  queryFn: ({ signal }) => api.dashboard.categories({}, { signal }),
  meta: { inlineErrors: true, topics: ['jobs', 'categories'] },
});
