import type { Notification } from '@callout/contract/notifications';
import { expect, test } from 'vitest';
import { formatBadgeCount, withAllRead, withNotificationRead, withoutNotification } from './notifications-cache.ts';

const buildNotification = (id: string, read: boolean): Notification => ({
  id,
  message: `Message ${id}`,
  type: 'info',
  read,
  created_at: '2026-03-31T12:00:00.000Z',
  data: {},
});

/** There are 120 unread notifications, but only one of them is in the list. */
const list = { rows: [buildNotification('new', false), buildNotification('old', true)], unread: 120 };

test('marking a notification as read twice lowers the unread count only once', () => {
  const updated = withNotificationRead(list, 'new');
  expect(updated.unread).toBe(119);
  expect(withNotificationRead(updated, 'new').unread).toBe(119);
  expect(withNotificationRead(list, 'old').unread).toBe(120);
});

test('deleting lowers the unread count only for an unread notification', () => {
  expect(withoutNotification(list, 'new')).toEqual({ rows: [buildNotification('old', true)], unread: 119 });
  expect(withoutNotification(list, 'old')).toEqual({ rows: [buildNotification('new', false)], unread: 120 });
});

test('marking all as read also covers notifications that are not in the list', () => {
  const updated = withAllRead(list);
  expect(updated.unread).toBe(0);
  expect(updated.rows.every(({ read }) => read)).toBe(true);
});

test.each([
  [0, null],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
  [12_345, '99+'],
])('the badge shows %i unread notifications as %s', (unread, badge) => {
  expect(formatBadgeCount(unread)).toBe(badge);
});
