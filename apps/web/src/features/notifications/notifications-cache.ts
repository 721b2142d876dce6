import type { Notification } from '@callout/contract/notifications';

/** The newest notifications, and the number of all unread ones. */
export interface Notifications {
  rows: Notification[];
  unread: number;
}

const unreadAmong = (rows: readonly Notification[]) => rows.filter(({ read }) => !read).length;

export function withRead({ rows, unread }: Notifications, id: string): Notifications {
  const changed = rows.map((row) => (row.id === id ? { ...row, read: true } : row));
  return { rows: changed, unread: unread - unreadAmong(rows) + unreadAmong(changed) };
}

export function withAllRead({ rows }: Notifications): Notifications {
  return { rows: rows.map((row) => ({ ...row, read: true })), unread: 0 };
}

export function withoutNotification({ rows, unread }: Notifications, id: string): Notifications {
  const left = rows.filter((row) => row.id !== id);
  return { rows: left, unread: unread - unreadAmong(rows) + unreadAmong(left) };
}

export const NO_NOTIFICATIONS: Notifications = { rows: [], unread: 0 };

const MAX_BADGE = 99;

/** The text of the bell's badge; null when everything is read. */
export function badgeCount(unread: number): string | null {
  if (unread <= 0) return null;
  return unread > MAX_BADGE ? `${MAX_BADGE}+` : String(unread);
}
