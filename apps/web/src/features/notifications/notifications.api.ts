import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { toast } from '../../ui/toast.ts';
import { NO_NOTIFICATIONS, type Notifications, withAllRead, withoutNotification, withRead } from './notifications-cache.ts';

/** Also while the live line is fine: a line can be broken without either end having noticed. */
const POLL_MS = 30_000;

const KEY = ['notifications'];

/** Errors are inline: a bell that fails every half minute must not shout; the opened list says what is wrong. */
export const notificationsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }): Promise<Notifications> => api.notifications.list(undefined, { signal }),
  refetchInterval: POLL_MS,
  meta: { inlineErrors: true },
});

export const useMarkRead = () =>
  useAtOnce((id: string) => unlessGone(api.notifications.markRead({ id })), withRead, { failed: 'Failed to mark notification as read' });

export const useMarkAllRead = () =>
  useAtOnce<void>(() => api.notifications.markAllRead(), withAllRead, {
    done: 'All notifications marked as read',
    failed: 'Failed to mark all notifications as read',
  });

export const useRemoveNotification = () =>
  useAtOnce((id: string) => unlessGone(api.notifications.remove({ id })), withoutNotification, { failed: 'Failed to remove notification' });

export const useClearNotifications = () =>
  useAtOnce<void>(
    () => api.notifications.clear(),
    () => NO_NOTIFICATIONS,
    {
      done: 'All notifications cleared',
      failed: 'Failed to clear notifications',
    },
  );

/** Another tab was quicker: what was wanted is already so. */
async function unlessGone(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!hasCode(error, 'NOT_FOUND')) throw error;
  }
}

/** Shows the change before the server has answered, and takes it back when it refuses. It says so itself: the list may be closed by then. */
function useAtOnce<Input>(
  send: (input: Input) => Promise<unknown>,
  change: (seen: Notifications, input: Input) => Notifications,
  { done, failed }: { done?: string; failed: string },
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: KEY,
    mutationFn: send,
    onMutate: async (input) => {
      await queryClient.cancelQueries({ queryKey: KEY });
      const before = queryClient.getQueryData(notificationsQuery.queryKey);
      queryClient.setQueryData(notificationsQuery.queryKey, (seen) => seen && change(seen, input));
      return before;
    },
    onSuccess: () => {
      if (done) toast.success(done);
    },
    onError: (error, _input, before) => {
      queryClient.setQueryData(notificationsQuery.queryKey, before);
      reportFailure(error, failed);
    },
    onSettled: () => {
      // Of several at once only the last reads afresh: an earlier read would bring back what a later one is just deleting.
      if (queryClient.isMutating({ mutationKey: KEY }) === 1) void queryClient.invalidateQueries({ queryKey: KEY });
    },
  });
}
