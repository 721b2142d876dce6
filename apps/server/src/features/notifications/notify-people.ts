import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { insertNotifications, type NotificationInput } from './notifications.sql.ts';

/** Gives these people of the company one notification each, in the transaction of what it is about, and has their pages show it. */
export async function notifyPeople(scope: TenantScope, userIds: readonly string[], news: NotificationInput): Promise<void> {
  await publishToPeople(scope, await insertNotifications(scope, userIds, news), 'notifications');
}
