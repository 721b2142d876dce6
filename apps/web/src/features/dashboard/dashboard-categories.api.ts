import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** How many jobs each category has; one without jobs is not among them. Apart from the dashboard's own calls, since the settings show it. */
export const categoryJobsQuery = queryOptions({
  queryKey: ['dashboard', 'categories', {}],
  queryFn: ({ signal }) => api.dashboard.categories({}, { signal }),
  meta: { inlineErrors: true, topics: ['jobs', 'categories'] },
});
