import { z } from 'zod';
import { defineCall } from './call.ts';
import { notFoundError } from './errors.ts';
import { Id, Instant, OutputId } from './fields.ts';
import { CappedCount, idInput } from './lists.ts';

export const NOTIFICATION_TYPES = ['success', 'info', 'warning', 'error'] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export const MAX_NOTIFICATIONS = 50;

export const Notification = z.object({
  id: OutputId,
  message: z.string(),
  /** Usually one of NOTIFICATION_TYPES; pages display any other type in their default style. */
  type: z.string(),
  read: z.boolean(),
  created_at: Instant,
  data: z.object({ quote_id: OutputId.optional(), job_id: OutputId.optional(), staff_id: OutputId.optional() }),
});
export type Notification = z.infer<typeof Notification>;

/** The number of unread notifications, counted separately because the list contains only the newest ones. */
const UnreadCount = z.object({ unread: CappedCount });

/** The client generates this id for "Clear all" and sends it again to undo. */
const clearInput = z.object({ id: Id });

export const notificationNotFoundError = notFoundError('Notification not found');

export const notifications = {
  list: defineCall('work.view')
    .route({
      method: 'GET',
      path: '/notifications',
      summary: 'List my newest notifications and count the unread ones',
      tags: ['notifications'],
    })
    .output(z.object({ rows: z.array(Notification), ...UnreadCount.shape })),

  markRead: defineCall('work.view')
    .route({ method: 'POST', path: '/notifications/{id}/read', summary: 'Mark a notification as read', tags: ['notifications'] })
    .input(idInput)
    .output(UnreadCount)
    .errors(notificationNotFoundError),

  markAllRead: defineCall('work.view')
    .route({ method: 'POST', path: '/notifications/read', summary: 'Mark all notifications as read', tags: ['notifications'] })
    .output(UnreadCount),

  remove: defineCall('work.view')
    .route({ method: 'DELETE', path: '/notifications/{id}', summary: 'Delete a notification', tags: ['notifications'] })
    .input(idInput)
    .output(UnreadCount)
    .errors(notificationNotFoundError),

  clear: defineCall('work.view')
    .route({
      method: 'POST',
      path: '/notifications/clear',
      summary: 'Clear all my notifications under a client-generated id, with which they can be restored for a day',
      tags: ['notifications'],
    })
    .input(clearInput)
    .output(UnreadCount),

  restore: defineCall('work.view')
    .route({ method: 'POST', path: '/notifications/restore', summary: 'Restore cleared notifications', tags: ['notifications'] })
    .input(clearInput)
    .output(UnreadCount),
};
