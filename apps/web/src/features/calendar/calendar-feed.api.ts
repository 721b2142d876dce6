import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Read when its dialog opens: other calendars fetch it at any time. */
export const feedOptions = queryOptions({
  queryKey: ['calendar feed'],
  queryFn: ({ signal }) => api.calendar.feed(undefined, { signal }),
  staleTime: 0,
  meta: { inlineErrors: true },
});

export function useOpenFeed() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.calendar.openFeed(),
    onSuccess: (feed) => queryClient.setQueryData(feedOptions.queryKey, feed),
    meta: { success: 'Calendar link turned on', failure: 'Failed to turn on the calendar link: {message}' },
  });
}

export function useCloseFeed() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.calendar.closeFeed(),
    onSuccess: (feed) => queryClient.setQueryData(feedOptions.queryKey, feed),
    meta: { success: 'Calendar link turned off', failure: 'Failed to turn off the calendar link: {message}' },
  });
}
