import type { Notification, NotificationType } from '@callout/contract/notifications';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { notifyPeople } from './notifications.sql.ts';
import { type NotificationGrouping, notifications } from './notifications.table.ts';

/** Events with the same key within this time after the first make one notification. */
const GROUPING_WINDOW_MS = 10 * MINUTE_MS;

export interface GroupedEvent {
  readonly key: string;
  /** The name of the person who caused the event. */
  readonly author: string;
  readonly type: NotificationType;
  readonly data: Notification['data'];
  buildMessage(count: number, authors: readonly string[]): string;
}

/**
 * Notifies each person, or adds the event to their recent notification of the same group, which then becomes the newest and unread. A
 * notification that was already read starts to count again. The caller must hold a lock under which all events of this key run.
 */
export async function notifyPeopleInGroups(scope: TenantScope, userIds: readonly string[], event: GroupedEvent): Promise<void> {
  if (userIds.length === 0) return;
  const recent = await listRecentGroups(scope, userIds, event.key);
  const extended: string[] = [];
  for (const { id, user_id, read, grouping } of recent) {
    if (await extendGroup(scope, id, read ? { ...grouping, count: 0, authors: [] } : grouping, event)) extended.push(user_id);
  }
  await publishToPeople(scope, extended, 'notifications');
  const { key, author, type, data } = event;
  const grouping = { key, since: scope.now, count: 1, authors: [author] };
  const others = userIds.filter((id) => !extended.includes(id));
  await notifyPeople(scope, others, { message: event.buildMessage(1, [author]), type, data, grouping });
}

async function listRecentGroups(scope: TenantScope, userIds: readonly string[], key: string) {
  const { id, user_id, read, grouping, created_at, cleared_at } = notifications;
  const windowStart = new Date(Date.parse(scope.now) - GROUPING_WINDOW_MS).toISOString();
  const found = await scope.db
    .select({ id, user_id, read, grouping })
    .from(notifications)
    .where(
      and(
        inCompany(scope, notifications),
        inArray(user_id, [...userIds]),
        isNull(cleared_at),
        gt(created_at, windowStart),
        sql`${grouping} ->> 'key' = ${key}`,
      ),
    );
  return found.flatMap((row) => (row.grouping && row.grouping.since > windowStart ? [{ ...row, grouping: row.grouping }] : []));
}

/** Returns false if the person has deleted or cleared the notification in the meantime. */
async function extendGroup(scope: TenantScope, id: string, before: NotificationGrouping, event: GroupedEvent): Promise<boolean> {
  const authors = [...new Set([...before.authors, event.author])];
  const grouping = { ...before, count: before.count + 1, authors };
  const updated = await scope.db
    .update(notifications)
    .set({ message: event.buildMessage(grouping.count, authors), read: false, created_at: scope.now, grouping })
    .where(and(inCompany(scope, notifications), eq(notifications.id, id), isNull(notifications.cleared_at)))
    .returning({ id: notifications.id });
  return updated.length > 0;
}
