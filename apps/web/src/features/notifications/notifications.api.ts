import type { Notification } from '@callout/contract/notifications';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { useOverlays } from '../../lib/commands/overlays.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
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

/** Reads the notifications with the changes that wait. */
export function useNotifications(isEnabled = true) {
  const select = useOverlays<NotificationList>(NOTIFICATIONS_KEY);
  return useQuery({ ...notificationsQueryOptions, select, enabled: isEnabled });
}

const common = { lane: () => 'notifications', invalidates: [NOTIFICATIONS_KEY] };
const overlayList = (apply: (list: NotificationList) => NotificationList) => [overlay(NOTIFICATIONS_KEY, apply)];

export const markNotificationRead = defineCommand<'notifications.markRead', Notification>({
  ...common,
  call: 'notifications.markRead',
  toInput: ({ id }) => ({ id }),
  describe: ({ message }) => `Mark notification as read: ${message}`,
  overlays: ({ id }) => overlayList((list) => withNotificationRead(list, id)),
  ignores: ['NOT_FOUND'],
  failure: 'Failed to mark notification as read',
});

export const markAllNotificationsRead = defineCommand({
  ...common,
  call: 'notifications.markAllRead',
  describe: () => 'Mark all notifications as read',
  overlays: () => overlayList(withAllRead),
  success: 'All notifications marked as read',
  failure: 'Failed to mark all notifications as read',
});

export const removeNotification = defineCommand<'notifications.remove', Notification>({
  ...common,
  call: 'notifications.remove',
  toInput: ({ id }) => ({ id }),
  describe: ({ message }) => `Delete notification: ${message}`,
  overlays: ({ id }) => overlayList((list) => withoutNotification(list, id)),
  ignores: ['NOT_FOUND'],
  failure: 'Failed to remove notification',
});

export const clearNotifications = defineCommand({
  ...common,
  call: 'notifications.clear',
  describe: () => 'Clear all notifications',
  overlays: () => overlayList(() => NO_NOTIFICATIONS),
  failure: 'Failed to clear notifications',
});

export const restoreNotifications = defineCommand({
  ...common,
  call: 'notifications.restore',
  describe: () => 'Restore the cleared notifications',
  failure: 'Failed to restore notifications',
});

/** Clears all notifications. The toast's Undo button restores them. */
export function useClearNotifications() {
  const { mutate: restore } = useCommand(restoreNotifications);
  return useCommand(clearNotifications, {
    onAnswer: (_unread, cleared) => toast.success('All notifications cleared', { action: { label: 'Undo', run: () => restore(cleared) } }),
  });
}
