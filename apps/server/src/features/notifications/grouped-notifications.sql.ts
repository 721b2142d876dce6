import type { Notification, NotificationType } from '@callout/contract/notifications';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import { and, eq, gt, gte, inArray, isNull, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { notifyPeople } from './notifications.sql.ts';
import { type NotificationEvent, notifications } from './notifications.table.ts';

/** Events with the same key within this time after the first make one notification. */
const GROUPING_WINDOW_MS = 10 * MINUTE_MS;

type BuildMessage = (count: number, authors: readonly string[]) => string;

/** Events with the same key make one notification. */
export interface NotificationGroup {
  readonly key: string;
  readonly type: NotificationType;
  readonly data: Notification['data'];
  readonly buildMessage: BuildMessage;
}

interface GroupedEvent extends NotificationEvent, NotificationGroup {}

/**
 * Notifies each person, or adds the event to their recent notification of the same group, which then becomes the newest and unread. A
 * notification that was already read starts to count again. An event that is already in a person's unread notification isn't added twice. The
 * caller must hold a lock under which all events of this key run.
 */
export async function notifyPeopleInGroups(scope: TenantScope, userIds: readonly string[], event: GroupedEvent): Promise<void> {
  if (userIds.length === 0) return;
  const { key, id, author, type, data, buildMessage } = event;
  const recent = await listRecentGroups(scope, userIds, key);
  const [known, extensible] = partitionByEvent(recent, id);
  const extended = await extendGroups(scope, extensible, event);
  await publishToPeople(scope, extended, 'notifications');
  const notified = new Set([...extended, ...known.map(({ user_id }) => user_id)]);
  const others = userIds.filter((userId) => !notified.has(userId));
  const events = [{ id, author }];
  await notifyPeople(scope, others, {
    message: formatMessage(events, buildMessage),
    type,
    data,
    grouping: { key, since: scope.now, events },
  });
}

const formatMessage = (events: readonly NotificationEvent[], buildMessage: BuildMessage) =>
  buildMessage(events.length, [...new Set(events.map(({ author }) => author))]);

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
  return found.flatMap(({ grouping: group, ...row }) =>
    group?.events && group.since > windowStart ? [{ ...row, since: group.since, events: group.events }] : [],
  );
}

type RecentGroup = Awaited<ReturnType<typeof listRecentGroups>>[number];

/** Separates the unread groups that already contain the event from those that don't. */
function partitionByEvent(groups: readonly RecentGroup[], eventId: string): [known: RecentGroup[], others: RecentGroup[]] {
  const isKnown = ({ read, events }: RecentGroup) => !read && events.some(({ id }) => id === eventId);
  return [groups.filter(isKnown), groups.filter((group) => !isKnown(group))];
}

/** Adds the event in one statement. Returns the user ids of all people who haven't deleted or cleared their notification in the meantime. */
async function extendGroups(scope: TenantScope, groups: readonly RecentGroup[], event: GroupedEvent): Promise<string[]> {
  if (groups.length === 0) return [];
  const changes = groups.map(({ id, read, since, events: before }) => {
    const events = [...(read ? [] : before), { id: event.id, author: event.author }];
    return { id, message: formatMessage(events, event.buildMessage), grouping: { key: event.key, since, events } };
  });
  const change = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change (id uuid, message text, grouping jsonb)`;
  const updated = await scope.db
    .update(notifications)
    .set({ message: sql`change.message`, grouping: sql`change.grouping`, read: false, created_at: scope.now })
    .from(change)
    .where(and(inCompany(scope, notifications), eq(notifications.id, sql`change.id`), isNull(notifications.cleared_at)))
    .returning({ user_id: notifications.user_id });
  return updated.map(({ user_id }) => user_id);
}

interface RetractedEvent {
  readonly id: string;
  /** Notifications from before this time can't contain the event. */
  readonly since: string;
  /** The groups that may contain the event together with others. */
  readonly groups: readonly NotificationGroup[];
}

/** Removes an event from everyone's notifications, and deletes notifications without another event. Requires the lock of its group. */
export async function retractFromNotifications(scope: TenantScope, { id: eventId, since, groups }: RetractedEvent): Promise<void> {
  const { id, user_id, grouping, created_at } = notifications;
  const people = scope.db.select({ id: staff_members.profile_id }).from(staff_members).where(inCompany(scope, staff_members));
  const found = await scope.db
    .select({ id, user_id, grouping })
    .from(notifications)
    .where(
      and(
        inCompany(scope, notifications),
        inArray(user_id, people),
        gte(created_at, since),
        sql`${grouping} -> 'events' @> ${JSON.stringify([{ id: eventId }])}::jsonb`,
      ),
    );
  for (const row of found) {
    const events = (row.grouping?.events ?? []).filter((event) => event.id !== eventId);
    const group = groups.find(({ key }) => key === row.grouping?.key);
    const isThisRow = inCompany(scope, notifications, row.id);
    if (events.length === 0 || !row.grouping || !group) await scope.db.delete(notifications).where(isThisRow);
    else
      await scope.db
        .update(notifications)
        .set({ message: formatMessage(events, group.buildMessage), grouping: { ...row.grouping, events } })
        .where(isThisRow);
  }
  await publishToPeople(
    scope,
    found.map((row) => row.user_id),
    'notifications',
  );
}
