import type { Notification } from '@callout/contract/notifications';

/** The newest notifications. `unread` also counts older notifications that aren't in `rows`. */
export interface NotificationList {
  rows: Notification[];
  unread: number;
}

const countUnread = (rows: readonly Notification[]) => rows.filter(({ read }) => !read).length;

export function withNotificationRead({ rows, unread }: NotificationList, id: string): NotificationList {
  const updated = rows.map((row) => (row.id === id ? { ...row, read: true } : row));
  return { rows: updated, unread: unread - countUnread(rows) + countUnread(updated) };
}

export function withAllRead({ rows }: NotificationList): NotificationList {
  return { rows: rows.map((row) => ({ ...row, read: true })), unread: 0 };
}

export function withoutNotification({ rows, unread }: NotificationList, id: string): NotificationList {
  const remaining = rows.filter((row) => row.id !== id);
  return { rows: remaining, unread: unread - countUnread(rows) + countUnread(remaining) };
}

export const NO_NOTIFICATIONS: NotificationList = { rows: [], unread: 0 };

const MAX_BADGE_COUNT = 99;

export function formatBadgeCount(unread: number): string | null {
  if (unread <= 0) return null;
  return unread > MAX_BADGE_COUNT ? `${MAX_BADGE_COUNT}+` : String(unread);
}
