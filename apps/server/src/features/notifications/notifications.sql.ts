import { randomUUID } from 'node:crypto';
import { MAX_NOTIFICATIONS, Notification, type NotificationType, notificationNotFoundError } from '@callout/contract/notifications';
import { type Capability, hasCapability, ROLES, type Role } from '@callout/domain/roles/roles';
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type pg from 'pg';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { getPerson } from '../../platform/db/actor.ts';
import { countRows } from '../../platform/db/list-statements.ts';
import { prepareSelect } from '../../platform/db/prepared-select.ts';
import { inCompany, pickColumns } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { type NotificationGrouping, notification_clearings, notifications } from './notifications.table.ts';

export interface NotificationInput {
  readonly message: string;
  readonly type: NotificationType;
  /** The record that opens when the notification is clicked. */
  readonly data?: Notification['data'];
  readonly grouping?: NotificationGrouping;
}

/** Creates one notification per person in the current transaction, and refreshes the recipients' open pages. */
export async function notifyPeople(scope: TenantScope, userIds: readonly string[], notification: NotificationInput): Promise<void> {
  await publishToPeople(scope, await insertNotifications(scope, userIds, notification), 'notifications');
}

/** Deletes a person's outdated notifications about a job: unread ones with a message that starts with `messagePrefix`. */
export async function deleteUnreadJobNotifications(scope: TenantScope, userId: string, jobId: string, messagePrefix: string) {
  const isUnread = and(eq(notifications.user_id, userId), eq(notifications.read, false), isNull(notifications.cleared_at));
  const isOutdated = sql`${notifications.data} ->> 'job_id' = ${jobId} and starts_with(${notifications.message}, ${messagePrefix})`;
  const deleted = await scope.db
    .delete(notifications)
    .where(and(inCompany(scope, notifications), isUnread, isOutdated))
    .returning({ id: notifications.id });
  if (deleted.length > 0) await publishToPeople(scope, [userId], 'notifications');
}

interface UndeliveredMail {
  /** Names the email in the notification, for example 'Your quote Q26110001 to Helen Faleolo'. */
  readonly description: string;
  readonly problem: string | null;
  readonly data: NonNullable<NotificationInput['data']>;
}

/** Notifies the sender, or all company admins if the email was sent automatically. */
export async function notifyUndeliveredMail(scope: TenantScope, senderId: string | null, { description, problem, data }: UndeliveredMail) {
  const message = `${description} couldn't be delivered. ${problem ?? ''}`.trim();
  await notifyPeople(scope, senderId ? [senderId] : await listAdminUserIds(scope), { message, type: 'error', data });
}

/** Skips people who aren't members of the company or can't sign in. Returns the user ids of everyone notified. */
async function insertNotifications(scope: TenantScope, userIds: readonly string[], notification: NotificationInput): Promise<string[]> {
  const members = await scope.db
    .select({ user_id: staff_members.profile_id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), inArray(staff_members.profile_id, [...userIds])))
    // Wait for a concurrent deletion of a login to finish, so that the deleted person is skipped.
    .for('key share');
  const receivers = members.flatMap(({ user_id }) => user_id ?? []);
  if (receivers.length === 0) return [];
  await scope.db.insert(notifications).values(
    receivers.map((user_id) => ({
      company_id: scope.companyId,
      id: randomUUID(),
      user_id,
      message: notification.message,
      type: notification.type,
      read: false,
      data: notification.data ?? {},
      grouping: notification.grouping ?? null,
      created_at: scope.now,
    })),
  );
  return receivers;
}

/** Lists the user ids of all company admins who can sign in. */
export function listAdminUserIds(scope: TenantScope): Promise<string[]> {
  return listUserIdsByRole(scope, ['admin']);
}

/** Lists the user ids of all members who have the capability and can sign in. */
export function listUserIdsWithCapability(scope: TenantScope, capability: Capability): Promise<string[]> {
  return listUserIdsByRole(
    scope,
    ROLES.filter((role) => hasCapability(role, capability)),
  );
}

async function listUserIdsByRole(scope: TenantScope, roles: readonly Role[]): Promise<string[]> {
  const rows = await scope.db
    .select({ user_id: staff_members.profile_id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), inArray(staff_members.role, [...roles]), isNotNull(staff_members.profile_id)));
  return rows.flatMap(({ user_id }) => user_id ?? []);
}

const whereMine = (scope: TenantScope) => and(inCompany(scope, notifications), eq(notifications.user_id, getPerson(scope.actor).userId));

/** Matches the user's notifications that aren't cleared. With an `id`, matches only that notification. */
const whereVisibleToMe = (scope: TenantScope, id?: string) =>
  and(whereMine(scope), isNull(notifications.cleared_at), id === undefined ? undefined : eq(notifications.id, id));

const visibleCondition = sql`${notifications.company_id} = ${sql.placeholder('company')}
  and ${notifications.user_id} = ${sql.placeholder('user')} and ${notifications.cleared_at} is null`;

const NEWEST_NOTIFICATIONS = prepareSelect(
  'notifications.list',
  {
    ...pickColumns(notifications, Notification),
    unread: sql<number>`(${countRows({ table: notifications }, sql`${visibleCondition} and not ${notifications.read}`)})`,
  },
  (select) =>
    select
      .from(notifications)
      .where(visibleCondition)
      .orderBy(sql`${notifications.created_at} desc, ${notifications.id} desc`)
      .limit(MAX_NOTIFICATIONS),
);

/** Lists the newest notifications and counts the unread ones, in one statement. */
export async function listNotifications(scope: TenantScope): Promise<{ rows: Notification[]; unread: number }> {
  const found = await scope.run(NEWEST_NOTIFICATIONS, { company: scope.companyId, user: getPerson(scope.actor).userId });
  return { rows: found.map(({ unread: _, ...notification }) => notification), unread: found[0]?.unread ?? 0 };
}

export async function countUnreadNotifications(scope: TenantScope): Promise<number> {
  const isUnread = and(whereVisibleToMe(scope), eq(notifications.read, false));
  const { rows } = await scope.db.execute<{ total: number }>(countRows({ table: notifications }, isUnread));
  return rows[0]?.total ?? 0;
}

export async function markNotificationRead(scope: TenantScope, id: string): Promise<void> {
  const marked = await scope.db
    .update(notifications)
    .set({ read: true })
    .where(whereVisibleToMe(scope, id))
    .returning({ id: notifications.id });
  if (marked.length === 0) throw toFailure(notificationNotFoundError);
}

export async function markAllNotificationsRead(scope: TenantScope): Promise<void> {
  await scope.db
    .update(notifications)
    .set({ read: true })
    .where(and(whereVisibleToMe(scope), eq(notifications.read, false)));
}

export async function deleteNotification(scope: TenantScope, id: string): Promise<void> {
  const deleted = await scope.db.delete(notifications).where(whereVisibleToMe(scope, id)).returning({ id: notifications.id });
  if (deleted.length === 0) throw toFailure(notificationNotFoundError);
}

/** Hides all of the user's notifications. Idempotent: a retry, or a request that arrives after its undo, doesn't hide newer ones. */
export async function clearNotifications(scope: TenantScope, clearingId: string): Promise<void> {
  if (!(await recordClearing(scope, clearingId))) return;
  await scope.db.update(notifications).set({ cleared_by: clearingId, cleared_at: scope.now }).where(whereVisibleToMe(scope));
}

export async function restoreNotifications(scope: TenantScope, clearingId: string): Promise<void> {
  await recordClearing(scope, clearingId);
  await scope.db
    .update(notifications)
    .set({ cleared_by: null, cleared_at: null })
    .where(and(whereMine(scope), eq(notifications.cleared_by, clearingId)));
}

/** Stores the id of a "Clear all" action. Returns false if the id was already stored. */
async function recordClearing(scope: TenantScope, id: string): Promise<boolean> {
  const recorded = await scope.db
    .insert(notification_clearings)
    .values({ company_id: scope.companyId, user_id: getPerson(scope.actor).userId, id, created_at: scope.now })
    .onConflictDoNothing({ target: [notification_clearings.company_id, notification_clearings.user_id, notification_clearings.id] })
    .returning({ id: notification_clearings.id });
  return recorded.length > 0;
}

export interface NotificationRetention {
  /** Days until a read notification is deleted. */
  readonly readNotificationDays: number;
  /** Days for which the id of a command is kept, to recognize a retry. */
  readonly commandKeyDays: number;
}

/** Deletes old notifications that were read, and cleared ones after a day, which makes clearing final. Unread ones stay. */
export async function purgeNotifications(pool: pg.Pool, { readNotificationDays, commandKeyDays }: NotificationRetention): Promise<void> {
  await pool.query(`delete from notifications where cleared_at < now() - interval '1 day'`);
  await pool.query('delete from notification_clearings where created_at < now() - make_interval(days => $1)', [commandKeyDays]);
  let deleted: number | null;
  do {
    ({ rowCount: deleted } = await pool.query(
      `delete from notifications where ctid = any (array(
          select ctid from notifications where read and created_at < now() - make_interval(days => $1) limit ${NOTIFICATIONS_PER_BATCH}))`,
      [readNotificationDays],
    ));
  } while (deleted === NOTIFICATIONS_PER_BATCH);
}

const NOTIFICATIONS_PER_BATCH = 5000;
