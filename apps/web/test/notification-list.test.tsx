import type { Notification } from '@callout/contract/notifications';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ADMIN_USER } from './fixtures.ts';
import { getToasts, type MockApi, openPage, pressButton } from './open-page.tsx';

const JOINED_NOTIFICATION: Notification = {
  id: 'notification-1',
  message: 'Tama accepted your invitation',
  type: 'success',
  read: true,
  created_at: '2026-03-01T08:00:00.000Z',
  data: { staff_id: 'staff-2' },
};

async function openNotifications(responses: MockApi) {
  const opened = openPage('/settings?tab=menu-order', {
    'GET /me': () => ADMIN_USER,
    'GET /notifications': () => ({ rows: [JOINED_NOTIFICATION], unread: 0 }),
    ...responses,
  });
  await pressButton('Notifications');
  return opened;
}

it('an "accepted your invitation" notification opens that staff member', async () => {
  const { path } = await openNotifications({ 'GET /staff/staff-2': () => new Promise(() => undefined) });
  const item = await screen.findByText(JOINED_NOTIFICATION.message);
  await act(async () => fireEvent.click(item));
  await waitFor(() => expect(path()).toBe('/staff/staff-2'));
});

it('Back closes the notification list and stays on the page', async () => {
  const { router, path } = await openNotifications({});
  await screen.findByText(JOINED_NOTIFICATION.message);
  await pressButton('Notifications');
  await act(async () => router.navigate({ to: '/nowhere' as '/dashboard' }));
  await screen.findByRole('heading', { name: 'Page not found' });
  await pressButton('Notifications');
  await screen.findByText(JOINED_NOTIFICATION.message);
  await act(async () => window.history.back());
  await waitFor(() => expect(screen.queryByText(JOINED_NOTIFICATION.message)).toBeNull());
  expect(path()).toBe('/nowhere');
});

it('Clear all can be undone', async () => {
  const sent: [string, unknown][] = [];
  await openNotifications({
    'GET /notifications': () => ({ rows: sent.at(-1)?.[0] === 'clear' ? [] : [JOINED_NOTIFICATION], unread: 0 }),
    'POST /notifications/clear': (input) => {
      sent.push(['clear', input]);
      return { unread: 0 };
    },
    'POST /notifications/restore': (input) => {
      sent.push(['restore', input]);
      return { unread: 0 };
    },
  });
  await pressButton('Clear all');
  expect(await screen.findByText('No notifications')).toBeDefined();
  await waitFor(() => expect(getToasts()).toEqual(['All notifications clearedUndo']));
  await pressButton('Undo');
  // Undo is outside the list, so pressing it closed the list.
  await pressButton('Notifications');
  expect(await screen.findByText(JOINED_NOTIFICATION.message)).toBeDefined();
  expect(sent).toEqual([
    ['clear', { id: expect.any(String) as string }],
    ['restore', sent[0]?.[1]],
  ]);
});
