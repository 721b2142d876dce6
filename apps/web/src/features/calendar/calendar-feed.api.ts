import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Always stale, so that opening the dialog shows when a calendar app last fetched the link. */
export const calendarFeedQueryOptions = queryOptions({
  queryKey: ['calendar feed'],
  queryFn: ({ signal }) => api.calendar.feed(undefined, { signal }),
  staleTime: 0,
  meta: { inlineErrors: true },
});

export function useEnableCalendarFeed() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.calendar.openFeed(),
    onSuccess: (feed) => queryClient.setQueryData(calendarFeedQueryOptions.queryKey, feed),
    meta: { success: 'Calendar link turned on', failure: 'Failed to turn on the calendar link: {message}' },
  });
}

export function useDisableCalendarFeed() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.calendar.closeFeed(),
    onSuccess: (feed) => queryClient.setQueryData(calendarFeedQueryOptions.queryKey, feed),
    meta: { success: 'Calendar link turned off', failure: 'Failed to turn off the calendar link: {message}' },
  });
}
