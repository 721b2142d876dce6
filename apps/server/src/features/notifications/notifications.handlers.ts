import { personOf } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { touchCompany } from '../company/company.sql.ts';
import {
  clearNotifications,
  countUnread,
  deleteNotification,
  listNotifications,
  markAllRead,
  markRead,
  restoreNotifications,
} from './notifications.sql.ts';

export const notificationsHandlers = {
  list: calls.notifications.list.handler(
    tenantQuery(async (scope) => {
      // Every open page asks for this regularly, so whoever has one open is active.
      await touchCompany(scope);
      return listNotifications(scope);
    }),
  ),

  markRead: calls.notifications.markRead.handler(
    tenantMutation(async (scope, { input }) => {
      await markRead(scope, input.id);
      return refreshCaller(scope);
    }),
  ),

  markAllRead: calls.notifications.markAllRead.handler(
    tenantMutation(async (scope) => {
      await markAllRead(scope);
      return refreshCaller(scope);
    }),
  ),

  remove: calls.notifications.remove.handler(
    tenantMutation(async (scope, { input }) => {
      await deleteNotification(scope, input.id);
      return refreshCaller(scope);
    }),
  ),

  clear: calls.notifications.clear.handler(
    tenantMutation(async (scope, { input }) => {
      await clearNotifications(scope, input.id);
      return refreshCaller(scope);
    }),
  ),

  restore: calls.notifications.restore.handler(
    tenantMutation(async (scope, { input }) => {
      await restoreNotifications(scope, input.id);
      return refreshCaller(scope);
    }),
  ),
};

/** The person's other tabs and devices read their notifications again. */
async function refreshCaller(scope: TenantScope): Promise<{ unread: number }> {
  await publishToPeople(scope, [personOf(scope.actor).userId], 'notifications');
  return { unread: await countUnread(scope) };
}
