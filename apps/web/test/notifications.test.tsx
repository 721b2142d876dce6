import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, waitForToasts } from './open-page.tsx';
import { OWNER } from './people.ts';

const QUOTE = '018f0000-0000-7000-8000-0000000000a1';
const JOB = '018f0000-0000-7000-8000-0000000000b1';
const NOW = new Date('2026-03-01T08:00:00.000Z');

/** One of each type, and one that is not known yet. */
const TYPES = [
  ['success', { quote_id: QUOTE, job_id: JOB }],
  ['info', { job_id: JOB }],
  ['warning', {}],
  ['error', {}],
  ['other', {}],
] as const;

const ROWS = TYPES.map(([type, data], index) => ({
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

const bell = () => screen.findByRole('button', { name: /^Notifications/ });
const badge = async () => (await bell()).querySelector('[data-badge]')?.textContent;
const findPanel = () => screen.findByRole('dialog', { name: 'Notifications' });
const message = (type: string) => screen.getByRole('button', { name: new RegExp(`^Unread: A message of type ${type}`) });

async function openBell(answers: Answers = {}) {
  const page = openPage('/todo', { 'GET /me': () => OWNER, 'GET /notifications': () => ({ rows: ROWS, unread: 120 }), ...answers });
  await bell();
  await press(/^Notifications/);
  return { ...page, panel: await findPanel() };
}

describe('the bell', () => {
  it('counts up to 99, and each type has its icon and its age', async () => {
    const { panel } = await openBell();
    await waitFor(async () => expect(await badge()).toBe('99+'));
    const ages = [...panel.querySelectorAll('time')].map(({ textContent }) => textContent);
    expect(ages).toEqual(['5 minutes ago', '10 minutes ago', '15 minutes ago', '20 minutes ago', '25 minutes ago']);
    expect(new Set([...panel.querySelectorAll('[data-type]')].map(({ innerHTML }) => innerHTML)).size).toBe(5);
  });

  it.each([
    ['success', `/quotes/${QUOTE}`],
    ['info', `/jobs/${JOB}`],
    ['warning', '/todo'],
  ])('opens the record of a notification of type %s, and closes', async (type, target) => {
    const read: string[] = [];
    const marks = ROWS.map(({ id }) => [`POST /notifications/${id}/read`, () => ({ unread: 120 - read.push(id) })] as const);
    const { path } = await openBell({
      ...Object.fromEntries(marks),
      'GET /jobs/{id}': () => refuse('NOT_FOUND'),
      'GET /quotes/{id}': () => refuse('NOT_FOUND'),
    });
    fireEvent.click(message(type));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(path()).toBe(target));
    await waitFor(() => expect(read).toHaveLength(1));
  });

  it('says that it loads, and that there is nothing', async () => {
    const answer = Promise.withResolvers<void>();
    const { panel } = await openBell({
      'GET /notifications': async () => {
        await answer.promise;
        return { rows: [], unread: 0 };
      },
    });
    within(panel).getByText('Loading notifications...');
    answer.resolve();
    await within(panel).findByText('No notifications');
    expect(within(panel).queryByRole('button')).toBeNull();
    fireEvent.keyDown(panel, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(async () => expect(document.activeElement).toBe(await bell()));
  });

  it('says why it could not read, and reads again', async () => {
    const list = { answer: (): unknown => refuse('FORBIDDEN') };
    const { panel } = await openBell({ 'GET /notifications': () => list.answer() });
    await within(panel).findByText('A failure on purpose');
    list.answer = () => ({ rows: [], unread: 0 });
    await press('Retry');
    expect(await within(panel).findByText('No notifications')).toBeDefined();
  });

  it('does not wait for ever', async () => {
    const { panel } = await openBell({ 'GET /notifications': () => new Promise(() => undefined) });
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await within(panel).findByText('The request took too long to complete. Please try again.')).toBeDefined();
  });

  it('reads again every half minute, also without live updates', async () => {
    let reads = 0;
    await openBell({
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

describe('a change that fails is reported and undone', () => {
  const failing = { 'GET /notifications': () => ({ rows: ROWS.slice(0, 1), unread: 1 }) };

  async function expectUnchanged(text: string): Promise<void> {
    await waitForToasts(text);
    await waitFor(async () => expect(await badge()).toBe('1'));
  }

  it('when all are marked as read', async () => {
    await openBell({ ...failing, 'POST /notifications/read': () => refuse('INTERNAL') });
    await press('Mark all read');
    await expectUnchanged('Failed to mark all notifications as read');
    expect(await badge()).toBe('1');
  });

  it('when one is deleted', async () => {
    const { panel } = await openBell({ ...failing, 'DELETE /notifications/note-0': () => refuse('INTERNAL') });
    await press(/^Delete notification/);
    await expectUnchanged('Failed to remove notification');
    expect(within(panel).getAllByRole('listitem')).toHaveLength(1);
  });

  it('when all are cleared', async () => {
    const { panel } = await openBell({ ...failing, 'POST /notifications/clear': () => refuse('INTERNAL') });
    await press('Clear all');
    await expectUnchanged('Failed to clear notifications');
    expect(within(panel).getAllByRole('listitem')).toHaveLength(1);
  });

  it('when one is read', async () => {
    const opened = { 'GET /quotes/{id}': () => refuse('NOT_FOUND') };
    await openBell({ ...failing, ...opened, 'POST /notifications/note-0/read': () => refuse('INTERNAL') });
    fireEvent.click(message('success'));
    await expectUnchanged('Failed to mark notification as read');
    expect(await badge()).toBe('1');
  });
});
