import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, changing, reading } from '../../platform/http/calls.ts';
import { tellPeople } from '../../platform/live/live.ts';
import { touchCompany } from '../company/company.sql.ts';
import { countUnread, deleteAllNotifications, deleteNotification, listNotifications, markAllRead, markRead } from './notifications.sql.ts';

export const notificationsHandlers = {
  list: calls.notifications.list.handler(
    reading(async (scope) => {
      // Every open page asks for this again and again: whoever has one open is there.
      await touchCompany(scope);
      return listNotifications(scope);
    }),
  ),

  markRead: calls.notifications.markRead.handler(
    changing(async (scope, { input, errors }) => {
      if (!(await markRead(scope, input.id))) throw errors.NOT_FOUND();
      return tellMyself(scope);
    }),
  ),

  markAllRead: calls.notifications.markAllRead.handler(
    changing(async (scope) => {
      await markAllRead(scope);
      return tellMyself(scope);
    }),
  ),

  remove: calls.notifications.remove.handler(
    changing(async (scope, { input, errors }) => {
      if (!(await deleteNotification(scope, input.id))) throw errors.NOT_FOUND();
      return tellMyself(scope);
    }),
  ),

  clear: calls.notifications.clear.handler(
    changing(async (scope) => {
      await deleteAllNotifications(scope);
      return tellMyself(scope);
    }),
  ),
};

/** The person's other tabs and devices look again. */
async function tellMyself(scope: TenantScope): Promise<{ unread: number }> {
  await tellPeople(scope, [scope.actor.userId], 'notifications');
  return { unread: await countUnread(scope) };
}
