import type { Notification } from '@callout/contract/notifications';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, openPage, press, toastTexts } from './open-page.tsx';
import { OWNER } from './people.ts';

const JOINED: Notification = {
  id: 'notification-1',
  message: 'Tama accepted your invitation',
  type: 'success',
  read: true,
  created_at: '2026-03-01T08:00:00.000Z',
  data: { staff_id: 'staff-2' },
};

async function openList(more: Answers) {
  const opened = openPage('/settings?tab=menu-order', {
    'GET /me': () => OWNER,
    'GET /notifications': () => ({ rows: [JOINED], unread: 0 }),
    ...more,
  });
  await press('Notifications');
  return opened;
}

it('"X accepted your invitation" opens that person', async () => {
  const { path } = await openList({ 'GET /staff/staff-2': () => new Promise(() => undefined) });
  const item = await screen.findByText(JOINED.message);
  await act(async () => fireEvent.click(item));
  await waitFor(() => expect(path()).toBe('/staff/staff-2'));
});

it('Back closes the list and stays on the page', async () => {
  const { router, path } = await openList({});
  await screen.findByText(JOINED.message);
  await press('Notifications');
  await act(async () => router.navigate({ to: '/nowhere' as '/dashboard' }));
  await screen.findByRole('heading', { name: 'Page not found' });
  await press('Notifications');
  await screen.findByText(JOINED.message);
  await act(async () => window.history.back());
  await waitFor(() => expect(screen.queryByText(JOINED.message)).toBeNull());
  expect(path()).toBe('/nowhere');
});

it('"Clear all" can be undone', async () => {
  const sent: [string, unknown][] = [];
  await openList({
    'GET /notifications': () => ({ rows: sent.at(-1)?.[0] === 'clear' ? [] : [JOINED], unread: 0 }),
    'POST /notifications/clear': (input) => {
      sent.push(['clear', input]);
      return { unread: 0 };
    },
    'POST /notifications/restore': (input) => {
      sent.push(['restore', input]);
      return { unread: 0 };
    },
  });
  await press('Clear all');
  expect(await screen.findByText('No notifications')).toBeDefined();
  await waitFor(() => expect(toastTexts()).toEqual(['All notifications clearedUndo']));
  await press('Undo');
  // A click outside has closed the list.
  await press('Notifications');
  expect(await screen.findByText(JOINED.message)).toBeDefined();
  expect(sent).toEqual([
    ['clear', { id: expect.any(String) as string }],
    ['restore', sent[0]?.[1]],
  ]);
});
