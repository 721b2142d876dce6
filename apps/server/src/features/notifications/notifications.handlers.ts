import { getPerson } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { markCompanyActive } from '../company/company.sql.ts';
import {
  clearNotifications,
  countUnreadNotifications,
  deleteNotification,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  restoreNotifications,
} from './notifications.sql.ts';

export const notificationsHandlers = {
  list: calls.notifications.list.handler(
    tenantQuery(async (scope) => {
      // Every open page polls this call, so use it to mark the company as active.
      await markCompanyActive(scope);
      return listNotifications(scope);
    }),
  ),

  markRead: calls.notifications.markRead.handler(
    tenantMutation(async (scope, { input }) => {
      await markNotificationRead(scope, input.id);
      return publishAndCountUnread(scope);
    }),
  ),

  markAllRead: calls.notifications.markAllRead.handler(
    tenantMutation(async (scope) => {
      await markAllNotificationsRead(scope);
      return publishAndCountUnread(scope);
    }),
  ),

  remove: calls.notifications.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await deleteNotification(scope, input.id);
      return publishAndCountUnread(scope);
    }),
  ),

  clear: calls.notifications.clear.handler(
    tenantMutation(async (scope, { input }) => {
      await clearNotifications(scope, input.id);
      return publishAndCountUnread(scope);
    }),
  ),

  restore: calls.notifications.restore.handler(
    tenantMutation(async (scope, { input }) => {
      await restoreNotifications(scope, input.id);
      return publishAndCountUnread(scope);
    }),
  ),
};

/** Makes the user's other tabs and devices refetch their notifications, and returns the unread count. */
async function publishAndCountUnread(scope: TenantScope): Promise<{ unread: number }> {
  await publishToPeople(scope, [getPerson(scope.actor).userId], 'notifications');
  return { unread: await countUnreadNotifications(scope) };
}
