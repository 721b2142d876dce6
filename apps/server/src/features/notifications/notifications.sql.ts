import { randomUUID } from 'node:crypto';
import { NOTIFICATION_LIMIT, Notification, type NotificationType, notificationNotFound } from '@callout/contract/notifications';
import { type Capability, can, ROLES, type Role } from '@callout/domain/roles/roles';
import { and, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type pg from 'pg';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { personOf } from '../../platform/db/actor.ts';
import { prepareSelect } from '../../platform/db/prepared-select.ts';
import { columnsOf, inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { publishToPeople } from '../../platform/live/live.ts';
import { companies } from '../company/company.table.ts';
import { notification_clearings, notifications } from './notifications.table.ts';

export interface NotificationInput {
  readonly message: string;
  readonly type: NotificationType;
  /** What a click on it opens. */
  readonly data?: Notification['data'];
}

/** Creates one notification per person, in the caller's transaction, and updates their open pages. */
export async function notifyPeople(scope: TenantScope, userIds: readonly string[], notification: NotificationInput): Promise<void> {
  await publishToPeople(scope, await insertNotifications(scope, userIds, notification), 'notifications');
}

/** Takes back what a person has not read and what is no longer true: those about a job whose message starts like this. */
export async function withdrawNotifications(scope: TenantScope, userId: string, { job_id, start }: { job_id: string; start: string }) {
  const isUnread = and(eq(notifications.user_id, userId), eq(notifications.read, false), isNull(notifications.cleared_at));
  const isWithdrawn = sql`${notifications.data} ->> 'job_id' = ${job_id} and starts_with(${notifications.message}, ${start})`;
  const withdrawn = await scope.db
    .delete(notifications)
    .where(and(inCompany(scope, notifications), isUnread, isWithdrawn))
    .returning({ id: notifications.id });
  if (withdrawn.length > 0) await publishToPeople(scope, [userId], 'notifications');
}

interface UndeliveredMail {
  /** 'Your quote Q26110001 to Helen Faleolo' */
  readonly what: string;
  readonly problem: string | null;
  readonly data: NonNullable<NotificationInput['data']>;
}

/** Tells whoever sent a mail that nobody received it; the admins when the server sent it. */
export async function notifyUndelivered(scope: TenantScope, senderId: string | null, { what, problem, data }: UndeliveredMail) {
  const message = `${what} couldn't be delivered. ${problem ?? ''}`.trim();
  await notifyPeople(scope, senderId ? [senderId] : await adminsOf(scope), { message, type: 'error', data });
}

/** Only members of the company who can sign in are notified; returns who was. */
async function insertNotifications(scope: TenantScope, userIds: readonly string[], notification: NotificationInput): Promise<string[]> {
  // Lock order: company, staff, logins. Any other order could deadlock.
  await scope.db.select({ company_id: companies.company_id }).from(companies).where(inCompany(scope, companies)).for('key share');
  const members = await scope.db
    .select({ user_id: staff_members.profile_id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), inArray(staff_members.profile_id, [...userIds])))
    // Waits for a concurrent deletion of a login and then skips that person.
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
      created_at: scope.now,
    })),
  );
  return receivers;
}

/** The admins who can sign in. */
export function adminsOf(scope: TenantScope): Promise<string[]> {
  return loginsOf(scope, ['admin']);
}

/** The members who can sign in and whose role has the capability. */
export function membersWho(scope: TenantScope, capability: Capability): Promise<string[]> {
  return loginsOf(
    scope,
    ROLES.filter((role) => can(role, capability)),
  );
}

async function loginsOf(scope: TenantScope, roles: readonly Role[]): Promise<string[]> {
  const rows = await scope.db
    .select({ user_id: staff_members.profile_id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), inArray(staff_members.role, [...roles]), isNotNull(staff_members.profile_id)));
  return rows.flatMap(({ user_id }) => user_id ?? []);
}

const ofCaller = (scope: TenantScope) => and(inCompany(scope, notifications), eq(notifications.user_id, personOf(scope.actor).userId));

/** Those that the caller sees, or the one with this id. */
const shownToCaller = (scope: TenantScope, id?: string) =>
  and(ofCaller(scope), isNull(notifications.cleared_at), id === undefined ? undefined : eq(notifications.id, id));

const isShown = sql`${notifications.company_id} = ${sql.placeholder('company')} and ${notifications.user_id} = ${sql.placeholder('user')}
  and ${notifications.cleared_at} is null`;

const NEWEST = prepareSelect(
  'notifications.list',
  {
    ...columnsOf(notifications, Notification),
    unread: sql<number>`(select count(*)::int from ${notifications} where ${isShown} and not ${notifications.read})`,
  },
  (select) =>
    select
      .from(notifications)
      .where(isShown)
      .orderBy(sql`${notifications.created_at} desc, ${notifications.id} desc`)
      .limit(NOTIFICATION_LIMIT),
);

/** The newest notifications and the total unread count in one statement. */
export async function listNotifications(scope: TenantScope): Promise<{ rows: Notification[]; unread: number }> {
  const found = await scope.run(NEWEST, { company: scope.companyId, user: personOf(scope.actor).userId });
  return { rows: found.map(({ unread: _, ...notification }) => notification), unread: found[0]?.unread ?? 0 };
}

export async function countUnread(scope: TenantScope): Promise<number> {
  const rows = await scope.db
    .select({ unread: count() })
    .from(notifications)
    .where(and(shownToCaller(scope), eq(notifications.read, false)));
  return rows[0]?.unread ?? 0;
}

export async function markRead(scope: TenantScope, id: string): Promise<void> {
  const marked = await scope.db
    .update(notifications)
    .set({ read: true })
    .where(shownToCaller(scope, id))
    .returning({ id: notifications.id });
  if (marked.length === 0) throw failureOf(notificationNotFound);
}

export async function markAllRead(scope: TenantScope): Promise<void> {
  await scope.db
    .update(notifications)
    .set({ read: true })
    .where(and(shownToCaller(scope), eq(notifications.read, false)));
}

export async function deleteNotification(scope: TenantScope, id: string): Promise<void> {
  const deleted = await scope.db.delete(notifications).where(shownToCaller(scope, id)).returning({ id: notifications.id });
  if (deleted.length === 0) throw failureOf(notificationNotFound);
}

/** A clearing that is repeated, or arrives after it was undone, must not hide what the person has not seen. */
export async function clearNotifications(scope: TenantScope, clearingId: string): Promise<void> {
  if (!(await recordClearing(scope, clearingId))) return;
  await scope.db.update(notifications).set({ cleared_by: clearingId, cleared_at: scope.now }).where(shownToCaller(scope));
}

export async function restoreNotifications(scope: TenantScope, clearingId: string): Promise<void> {
  await recordClearing(scope, clearingId);
  await scope.db
    .update(notifications)
    .set({ cleared_by: null, cleared_at: null })
    .where(and(ofCaller(scope), eq(notifications.cleared_by, clearingId)));
}

/** False when it is already known. */
async function recordClearing(scope: TenantScope, id: string): Promise<boolean> {
  const recorded = await scope.db
    .insert(notification_clearings)
    .values({ company_id: scope.companyId, user_id: personOf(scope.actor).userId, id, created_at: scope.now })
    .onConflictDoNothing({ target: [notification_clearings.company_id, notification_clearings.user_id, notification_clearings.id] })
    .returning({ id: notification_clearings.id });
  return recorded.length > 0;
}

/** What was cleared more than a day ago can no longer be restored. The clearing itself is remembered for longer than any page retries it. */
export async function purgeClearedNotifications(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from notifications where cleared_at < now() - interval '1 day'`);
  await pool.query(`delete from notification_clearings where created_at < now() - interval '30 days'`);
}
