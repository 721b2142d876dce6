import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { ignoreNotFound, reportFailure } from '../../lib/error-messages.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { NO_NOTIFICATIONS, type Notifications, withAllRead, withoutNotification, withRead } from './notifications-cache.ts';

/** Also while live updates work, since a connection can be lost without either end noticing. */
const POLL_MS = 30_000;

const KEY = ['notifications'];

/** No toasts, since a poll may fail every half minute: the open list shows the error. */
export const notificationsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }): Promise<Notifications> => api.notifications.list(undefined, { signal }),
  refetchInterval: POLL_MS,
  meta: { inlineErrors: true },
});

export const useMarkRead = () =>
  useOptimisticNotifications((id: string) => ignoreNotFound(api.notifications.markRead({ id })), withRead, {
    failure: 'Failed to mark notification as read',
  });

export const useMarkAllRead = () =>
  useOptimisticNotifications<void>(() => api.notifications.markAllRead(), withAllRead, {
    success: 'All notifications marked as read',
    failure: 'Failed to mark all notifications as read',
  });

export const useRemoveNotification = () =>
  useOptimisticNotifications((id: string) => ignoreNotFound(api.notifications.remove({ id })), withoutNotification, {
    failure: 'Failed to remove notification',
  });

/** What is cleared can be restored for as long as its toast shows. */
export function useClearNotifications() {
  const restore = useOptimisticNotifications(
    (id: string) => api.notifications.restore({ id }),
    (seen) => seen,
    {
      failure: 'Failed to restore notifications',
    },
  );
  return useOptimisticNotifications(
    (id: string) => api.notifications.clear({ id }),
    () => NO_NOTIFICATIONS,
    {
      success: 'All notifications cleared',
      failure: 'Failed to clear notifications',
      undo: restore.mutate,
    },
  );
}

interface Reports<Input> {
  success?: string;
  failure: string;
  /** Takes the same input. */
  undo?: (input: Input) => void;
}

/** An optimistic update: shows the change at once and rolls it back on failure. Reports by toast, since the list may be closed by then. */
function useOptimisticNotifications<Input>(
  send: (input: Input) => Promise<unknown>,
  change: (seen: Notifications, input: Input) => Notifications,
  { success, failure, undo }: Reports<Input>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    // Refetched after the last call only: an earlier refetch would bring back what a later call is still deleting.
    onMutate: (input) => updateOptimistically<Notifications>(queryClient, { queryKey: KEY }, (seen) => change(seen, input), 'always'),
    onSuccess: (_answer, input) => {
      if (success) toast.success(success, undo && { action: { label: 'Undo', run: () => undo(input) } });
    },
    onError: (error) => reportFailure(error, failure),
    onSettled: (_answer, error, _input, settle) => settle?.(error),
  });
}
