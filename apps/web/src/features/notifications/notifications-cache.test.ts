import type { Notification } from '@callout/contract/notifications';
import { expect, test } from 'vitest';
import { badgeCount, withAllRead, withoutNotification, withRead } from './notifications-cache.ts';

const notification = (id: string, read: boolean): Notification => ({
  id,
  message: `Message ${id}`,
  type: 'info',
  read,
  created_at: '2026-03-31T12:00:00.000Z',
  data: {},
});

/** 120 unread in all, of which the list holds one. */
const seen = { rows: [notification('new', false), notification('old', true)], unread: 120 };

test('reading one counts once, however often it is pressed', () => {
  const once = withRead(seen, 'new');
  expect(once.unread).toBe(119);
  expect(withRead(once, 'new').unread).toBe(119);
  expect(withRead(seen, 'old').unread).toBe(120);
});

test('deleting counts only what was unread', () => {
  expect(withoutNotification(seen, 'new')).toEqual({ rows: [notification('old', true)], unread: 119 });
  expect(withoutNotification(seen, 'old')).toEqual({ rows: [notification('new', false)], unread: 120 });
});

test('reading all leaves none unread, also beyond the list', () => {
  const all = withAllRead(seen);
  expect(all.unread).toBe(0);
  expect(all.rows.every(({ read }) => read)).toBe(true);
});

test.each([
  [0, null],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
  [12_345, '99+'],
])('%i unread show as %s', (unread, badge) => {
  expect(badgeCount(unread)).toBe(badge);
});
