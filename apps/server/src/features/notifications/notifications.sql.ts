import { randomUUID } from 'node:crypto';
import type { Notification, NotificationType } from '@callout/contract/notifications';
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { notifications } from './notifications.table.ts';

export interface News {
  readonly message: string;
  readonly type: NotificationType;
  /** What a click on it opens. */
  readonly data?: Notification['data'];
}

/** Only members of the company who can sign in get news; the answer says who did. */
export async function insertNotifications(scope: TenantScope, userIds: readonly string[], news: News): Promise<string[]> {
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
