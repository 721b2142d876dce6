import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { ignoreNotFound, reportFailure } from '../../lib/error-messages.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { NO_NOTIFICATIONS, type NotificationList, withAllRead, withNotificationRead, withoutNotification } from './notifications-cache.ts';

/** Polling continues even while live updates work, because a connection can drop without either side noticing. */
const POLL_INTERVAL_MS = 30_000;

const NOTIFICATIONS_KEY = ['notifications'];

/** The open panel displays errors. Toasts would reappear every 30 seconds while polling fails. */
export const notificationsQueryOptions = queryOptions({
  queryKey: NOTIFICATIONS_KEY,
  queryFn: ({ signal }): Promise<NotificationList> => api.notifications.list(undefined, { signal }),
  refetchInterval: POLL_INTERVAL_MS,
  meta: { inlineErrors: true },
});

export const useMarkNotificationRead = () =>
  useOptimisticNotificationUpdate((id: string) => ignoreNotFound(api.notifications.markRead({ id })), withNotificationRead, {
    failure: 'Failed to mark notification as read',
  });

export const useMarkAllNotificationsRead = () =>
  useOptimisticNotificationUpdate<void>(() => api.notifications.markAllRead(), withAllRead, {
    success: 'All notifications marked as read',
    failure: 'Failed to mark all notifications as read',
  });

export const useRemoveNotification = () =>
  useOptimisticNotificationUpdate((id: string) => ignoreNotFound(api.notifications.remove({ id })), withoutNotification, {
    failure: 'Failed to remove notification',
  });

/** Clears all notifications. The toast's Undo button restores them. */
export function useClearNotifications() {
  const restore = useOptimisticNotificationUpdate(
    (id: string) => api.notifications.restore({ id }),
    (list) => list,
    { failure: 'Failed to restore notifications' },
  );
  return useOptimisticNotificationUpdate(
    (id: string) => api.notifications.clear({ id }),
    () => NO_NOTIFICATIONS,
    { success: 'All notifications cleared', failure: 'Failed to clear notifications', undo: restore.mutate },
  );
}

interface NotificationMutationOptions<Input> {
  success?: string;
  failure: string;
  undo?: (input: Input) => void;
}

/** Updates the list optimistically and rolls back on failure. A toast reports the result, because the panel may already be closed. */
function useOptimisticNotificationUpdate<Input>(
  send: (input: Input) => Promise<unknown>,
  update: (list: NotificationList, input: Input) => NotificationList,
  { success, failure, undo }: NotificationMutationOptions<Input>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    // Refetch only after the last pending mutation: an earlier refetch would restore rows that are still being deleted.
    onMutate: (input) =>
      updateOptimistically<NotificationList>(queryClient, { queryKey: NOTIFICATIONS_KEY }, (list) => update(list, input), 'always'),
    onSuccess: (_result, input) => {
      if (success) toast.success(success, undo && { action: { label: 'Undo', run: () => undo(input) } });
    },
    onError: (error) => reportFailure(error, failure),
    onSettled: (_result, error, _input, settle) => settle?.(error),
  });
}
