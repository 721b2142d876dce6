import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton, waitForToasts } from './open-page.tsx';

const QUOTE_ID = '018f0000-0000-7000-8000-0000000000a1';
const JOB_ID = '018f0000-0000-7000-8000-0000000000b1';
const NOW = new Date('2026-03-01T08:00:00.000Z');

/** One notification of each type, plus one of an unknown type. */
const NOTIFICATION_TYPES = [
  ['success', { quote_id: QUOTE_ID, job_id: JOB_ID }],
  ['info', { job_id: JOB_ID }],
  ['warning', {}],
  ['error', {}],
  ['other', {}],
] as const;

const NOTIFICATIONS = NOTIFICATION_TYPES.map(([type, data], index) => ({
  id: `note-${index}`,
  message: `A message of type ${type}`,
  type,
  read: false,
  created_at: new Date(NOW.getTime() - (index + 1) * 300_000).toISOString(),
  data,
}));

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true });
  return () => vi.useRealTimers();
});

const findBell = () => screen.findByRole('button', { name: /^Notifications/ });
const findBadgeText = async () => (await findBell()).querySelector('[data-badge]')?.textContent;
const findPanel = () => screen.findByRole('dialog', { name: 'Notifications' });
const getNotification = (type: string) => screen.getByRole('button', { name: new RegExp(`^Unread: A message of type ${type}`) });

async function openNotifications(responses: MockApi = {}) {
  const page = openPage('/todo', {
    'GET /me': () => ADMIN_USER,
    'GET /notifications': () => ({ rows: NOTIFICATIONS, unread: 120 }),
    ...responses,
  });
  await findBell();
  await pressButton(/^Notifications/);
  return { ...page, panel: await findPanel() };
}

describe('notification bell', () => {
  it('caps the badge at 99+ and shows an icon and age for each type', async () => {
    const { panel } = await openNotifications();
    await waitFor(async () => expect(await findBadgeText()).toBe('99+'));
    const ages = [...panel.querySelectorAll('time')].map(({ textContent }) => textContent);
    expect(ages).toEqual(['5 minutes ago', '10 minutes ago', '15 minutes ago', '20 minutes ago', '25 minutes ago']);
    expect(new Set([...panel.querySelectorAll('[data-type]')].map(({ innerHTML }) => innerHTML)).size).toBe(5);
  });

  it.each([
    ['success', `/quotes/${QUOTE_ID}`],
    ['info', `/jobs/${JOB_ID}`],
    ['warning', '/todo'],
  ])('opens the record of a notification of type %s and closes the panel', async (type, target) => {
    const read: string[] = [];
    const marks = NOTIFICATIONS.map(({ id }) => [`POST /notifications/${id}/read`, () => ({ unread: 120 - read.push(id) })] as const);
    const { path } = await openNotifications({
      ...Object.fromEntries(marks),
      'GET /jobs/{id}': () => failWith('NOT_FOUND'),
      'GET /quotes/{id}': () => failWith('NOT_FOUND'),
    });
    fireEvent.click(getNotification(type));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(path()).toBe(target));
    await waitFor(() => expect(read).toHaveLength(1));
  });

  it('shows loading and empty states and returns focus to the bell on Escape', async () => {
    const response = Promise.withResolvers<void>();
    const { panel } = await openNotifications({
      'GET /notifications': async () => {
        await response.promise;
        return { rows: [], unread: 0 };
      },
    });
    within(panel).getByText('Loading notifications...');
    response.resolve();
    await within(panel).findByText('No notifications');
    expect(within(panel).queryByRole('button')).toBeNull();
    fireEvent.keyDown(panel, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(async () => expect(document.activeElement).toBe(await findBell()));
  });

  it('shows why notifications failed to load and reloads them on Retry', async () => {
    const list = { response: (): unknown => failWith('FORBIDDEN') };
    const { panel } = await openNotifications({ 'GET /notifications': () => list.response() });
    await within(panel).findByText('A failure on purpose');
    list.response = () => ({ rows: [], unread: 0 });
    await pressButton('Retry');
    expect(await within(panel).findByText('No notifications')).toBeDefined();
  });

  it('reports a request that takes longer than 10 seconds', async () => {
    const { panel } = await openNotifications({ 'GET /notifications': () => new Promise(() => undefined) });
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await within(panel).findByText('The request took too long to complete. Please try again.')).toBeDefined();
  });

  it('polls every 30 seconds even without live updates', async () => {
    let reads = 0;
    await openNotifications({
      'GET /notifications': () => {
        reads += 1;
        return { rows: [], unread: 0 };
      },
    });
    for (const expected of [2, 3]) {
      await vi.advanceTimersByTimeAsync(30_000);
      await waitFor(() => expect(reads).toBe(expected));
    }
  });
});

describe('notification panel', () => {
  const ONE_UNREAD = { 'GET /notifications': () => ({ rows: NOTIFICATIONS.slice(0, 1), unread: 1 }) };

  async function expectUnchanged(text: string): Promise<void> {
    await waitForToasts(text);
    await waitFor(async () => expect(await findBadgeText()).toBe('1'));
  }

  it('reports and takes back a refused Mark all read', async () => {
    await openNotifications({ ...ONE_UNREAD, 'POST /notifications/read': () => failWith('FORBIDDEN') });
    await pressButton('Mark all read');
    await expectUnchanged('Failed to mark all notifications as read');
    expect(await findBadgeText()).toBe('1');
  });

  it('reports and takes back a refused deletion', async () => {
    const { panel } = await openNotifications({ ...ONE_UNREAD, 'DELETE /notifications/note-0': () => failWith('FORBIDDEN') });
    await pressButton(/^Delete notification/);
    await expectUnchanged('Failed to remove notification');
    expect(within(panel).getAllByRole('listitem')).toHaveLength(1);
  });

  it('reports and takes back a refused Clear all', async () => {
    const { panel } = await openNotifications({ ...ONE_UNREAD, 'POST /notifications/clear': () => failWith('FORBIDDEN') });
    await pressButton('Clear all');
    await expectUnchanged('Failed to clear notifications');
    expect(within(panel).getAllByRole('listitem')).toHaveLength(1);
  });

  it('reports and takes back a notification that the server refuses to mark as read', async () => {
    const opened = { 'GET /quotes/{id}': () => failWith('NOT_FOUND') };
    await openNotifications({ ...ONE_UNREAD, ...opened, 'POST /notifications/note-0/read': () => failWith('FORBIDDEN') });
    fireEvent.click(getNotification('success'));
    await expectUnchanged('Failed to mark notification as read');
    expect(await findBadgeText()).toBe('1');
  });
});
