import { randomUUID } from 'node:crypto';
import type { Notification, NotificationType } from '@callout/contract/notifications';
import { NOTIFICATION_LIMIT } from '@callout/contract/notifications';
import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { personOf } from '../../platform/db/actor.ts';
import { prepareSelect } from '../../platform/db/prepared-select.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { notifications } from './notifications.table.ts';

export interface NotificationInput {
  readonly message: string;
  readonly type: NotificationType;
  /** What a click on it opens. */
  readonly data?: Notification['data'];
}

/** Only members of the company who can sign in get news; the answer says who did. */
export async function insertNotifications(scope: TenantScope, userIds: readonly string[], news: NotificationInput): Promise<string[]> {
  // Company, then staff, then logins: who locks them in another order could wait for us while we wait for them.
  await scope.db
    .select({ company_id: companies.company_id })
    .from(companies)
    .where(eq(companies.company_id, scope.companyId))
    .for('key share');
  const members = await scope.db
    .select({ user_id: staff_members.profile_id })
    .from(staff_members)
    .where(and(eq(staff_members.company_id, scope.companyId), inArray(staff_members.profile_id, [...userIds])))
    // Whose login is being removed at this moment is waited for, and then not told.
    .for('key share');
  const receivers = members.flatMap(({ user_id }) => user_id ?? []);
  if (receivers.length === 0) return [];
  await scope.db.insert(notifications).values(
    receivers.map((user_id) => ({
      company_id: scope.companyId,
      id: randomUUID(),
      user_id,
      message: news.message,
      type: news.type,
      read: false,
      data: news.data ?? {},
      created_at: scope.now,
    })),
  );
  return receivers;
}

/** The admins who can sign in. */
export async function adminsOf(scope: TenantScope): Promise<string[]> {
  const rows = await scope.db
    .select({ user_id: staff_members.profile_id })
    .from(staff_members)
    .where(and(eq(staff_members.company_id, scope.companyId), eq(staff_members.role, 'admin'), isNotNull(staff_members.profile_id)));
  return rows.flatMap(({ user_id }) => user_id ?? []);
}

const own = (scope: TenantScope) =>
  and(eq(notifications.company_id, scope.companyId), eq(notifications.user_id, personOf(scope.actor).userId));
const ownOne = (scope: TenantScope, id: string) => and(own(scope), eq(notifications.id, id));

const mine = sql`${notifications.company_id} = ${sql.placeholder('company')} and ${notifications.user_id} = ${sql.placeholder('user')}`;

const NEWEST = prepareSelect(
  'notifications.list',
  {
    id: notifications.id,
    message: notifications.message,
    type: notifications.type,
    read: notifications.read,
    created_at: notifications.created_at,
    data: notifications.data,
    unread: sql<number>`(select count(*)::int from ${notifications} where ${mine} and not ${notifications.read})`,
  },
  (select) =>
    select
      .from(notifications)
      .where(mine)
      .orderBy(sql`${notifications.created_at} desc, ${notifications.id} desc`)
      .limit(NOTIFICATION_LIMIT),
);

/** The newest, and how many of all are unread, in one statement: where there is none, none is unread. */
export async function listNotifications(scope: TenantScope): Promise<{ rows: Notification[]; unread: number }> {
  const found = await scope.run(NEWEST, { company: scope.companyId, user: personOf(scope.actor).userId });
  return { rows: found.map(({ unread: _, ...notification }) => notification), unread: found[0]?.unread ?? 0 };
}

export async function countUnread(scope: TenantScope): Promise<number> {
  const rows = await scope.db
    .select({ unread: count() })
    .from(notifications)
    .where(and(own(scope), eq(notifications.read, false)));
  return rows[0]?.unread ?? 0;
}

/** False when there is no such notification of theirs. */
export async function markRead(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db.update(notifications).set({ read: true }).where(ownOne(scope, id)).returning({ id: notifications.id });
  return rows.length > 0;
}

export async function markAllRead(scope: TenantScope): Promise<void> {
  await scope.db
    .update(notifications)
    .set({ read: true })
    .where(and(own(scope), eq(notifications.read, false)));
}

/** False when there is no such notification of theirs. */
export async function deleteNotification(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db.delete(notifications).where(ownOne(scope, id)).returning({ id: notifications.id });
  return rows.length > 0;
}

export async function deleteAllNotifications(scope: TenantScope): Promise<void> {
  await scope.db.delete(notifications).where(own(scope));
}
