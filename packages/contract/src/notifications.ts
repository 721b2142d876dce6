import { z } from 'zod';
import { call } from './call.ts';
import { notFound } from './errors.ts';
import { Id, Instant, OutputId } from './fields.ts';
import { byId } from './lists.ts';

export const NOTIFICATION_TYPES = ['success', 'info', 'warning', 'error'] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export const NOTIFICATION_LIMIT = 50;

export const Notification = z.object({
  id: OutputId,
  message: z.string(),
  /** One of NOTIFICATION_TYPES; a page shows any other as its default. */
  type: z.string(),
  read: z.boolean(),
  created_at: Instant,
  data: z.object({ quote_id: OutputId.optional(), job_id: OutputId.optional(), staff_id: OutputId.optional() }),
});
export type Notification = z.infer<typeof Notification>;

/** Counted separately, because the list is limited. */
const Unread = z.object({ unread: z.int() });

/** The id of one "Clear all". */
const clearing = z.object({ id: Id });

export const notificationNotFound = notFound('Notification not found');

export const notifications = {
  list: call('work.view')
    .route({ method: 'GET', path: '/notifications', summary: 'My newest notifications, and how many are unread', tags: ['notifications'] })
    .output(z.object({ rows: z.array(Notification), ...Unread.shape })),

  markRead: call('work.view')
    .route({ method: 'POST', path: '/notifications/{id}/read', summary: 'Mark one of mine as read', tags: ['notifications'] })
    .input(byId)
    .output(Unread)
    .errors(notificationNotFound),

  markAllRead: call('work.view')
    .route({ method: 'POST', path: '/notifications/read', summary: 'Mark all of mine as read', tags: ['notifications'] })
    .output(Unread),

  remove: call('work.view')
    .route({ method: 'DELETE', path: '/notifications/{id}', summary: 'Delete one of mine', tags: ['notifications'] })
    .input(byId)
    .output(Unread)
    .errors(notificationNotFound),

  clear: call('work.view')
    .route({
      method: 'POST',
      path: '/notifications/clear',
      summary: 'Clear all of mine under a client-made id, which can restore them for a day',
      tags: ['notifications'],
    })
    .input(clearing)
    .output(Unread),

  restore: call('work.view')
    .route({ method: 'POST', path: '/notifications/restore', summary: 'Bring back what I cleared under this id', tags: ['notifications'] })
    .input(clearing)
    .output(Unread),
};
