import { personOf } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { touchCompany } from '../company/company.sql.ts';
import { countUnread, deleteAllNotifications, deleteNotification, listNotifications, markAllRead, markRead } from './notifications.sql.ts';

export const notificationsHandlers = {
  list: calls.notifications.list.handler(
    tenantQuery(async (scope) => {
      // Every open page asks for this again and again: whoever has one open is there.
      await touchCompany(scope);
      return listNotifications(scope);
    }),
  ),

  markRead: calls.notifications.markRead.handler(
    tenantMutation(async (scope, { input, errors }) => {
      if (!(await markRead(scope, input.id))) throw errors.NOT_FOUND();
      return tellMyself(scope);
    }),
  ),

  markAllRead: calls.notifications.markAllRead.handler(
    tenantMutation(async (scope) => {
      await markAllRead(scope);
      return tellMyself(scope);
    }),
  ),

  remove: calls.notifications.remove.handler(
    tenantMutation(async (scope, { input, errors }) => {
      if (!(await deleteNotification(scope, input.id))) throw errors.NOT_FOUND();
      return tellMyself(scope);
    }),
  ),

  clear: calls.notifications.clear.handler(
    tenantMutation(async (scope) => {
      await deleteAllNotifications(scope);
      return tellMyself(scope);
    }),
  ),
};

/** The person's other tabs and devices look again. */
async function tellMyself(scope: TenantScope): Promise<{ unread: number }> {
  await publishToPeople(scope, [personOf(scope.actor).userId], 'notifications');
  return { unread: await countUnread(scope) };
}
