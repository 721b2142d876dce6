import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { NO_CONNECTION } from '../src/lib/request.ts';
import { DUE, JOBS, LATE, link, OLDEST, openList, page, SUMMARY } from './open-invoices.ts';
import { NOTHING_OWED, press, refuse } from './open-page.tsx';
import { OWNER, PROFILE } from './people.ts';

afterEach(() => {
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

it('an invoice whose email failed says so', async () => {
  openList('/invoices', { [OLDEST]: () => page({ ...LATE, is_mail_failed: true }) });
  expect(within(await link('INV-2026-0187')).getByText('Email failed')).toBeDefined();
});

it('without invoices it says so and leads to the jobs that are complete', async () => {
  openList('/invoices', { [OLDEST]: () => page(), 'GET /invoices/summary': () => NOTHING_OWED });
  expect(await screen.findByText('No invoices yet')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Completed jobs' }).getAttribute('href')).toBe('/jobs?status=complete');
  expect(screen.queryByRole('link', { name: 'Export CSV' })).toBeNull();
  expect(screen.queryByLabelText('Search invoices')).toBeNull();
});

it('a search without results offers to clear it; nothing overdue is good news', async () => {
  const { search } = openList('/invoices?search=zzz', {
    'GET /invoices?search=zzz&sort=late_after&order=asc': () => page(),
    'GET /invoices/summary?search=zzz': () => NOTHING_OWED,
    'GET /invoices?filter=overdue&sort=late_after&order=asc': () => page(),
    'GET /invoices/summary?filter=overdue': () => NOTHING_OWED,
  });
  expect(await screen.findByText('Nothing matches “zzz”.')).toBeDefined();
  await press('Clear search and filters');
  await link('INV-2026-0187');
  expect(search()).toEqual({});
  await press(/^Overdue/);
  expect(await screen.findByText('Nobody owes you anything here.')).toBeDefined();
});

it('a list that cannot be read says why once, and is read again on request', async () => {
  const server = { isDown: true };
  const answer =
    <Data,>(data: Data) =>
    () =>
      server.isDown ? refuse('FORBIDDEN') : data;
  openList('/invoices', { [OLDEST]: answer(page(LATE)), 'GET /invoices/summary': answer(SUMMARY) });
  expect(await screen.findAllByText('A failure on purpose')).toHaveLength(1);
  server.isDown = false;
  await press('Retry');
  await link('INV-2026-0187');
});

it('sums that cannot be read leave the list as it is, and are read again on request', async () => {
  const sums = { answer: (): unknown => refuse('FORBIDDEN', 'No sums') };
  openList('/invoices', { 'GET /invoices/summary': () => sums.answer() });
  await link('INV-2026-0187');
  expect(await screen.findByText('No sums')).toBeDefined();
  sums.answer = () => SUMMARY;
  await press('Retry');
  expect(await screen.findByText('3 invoices')).toBeDefined();
});

it('without a connection it says so once, and shows the list when the connection is back', async () => {
  openList('/jobs', JOBS);
  const invoices = await screen.findByRole('link', { name: 'Invoices' });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await act(async () => fireEvent.click(invoices));
  expect(await within(screen.getByRole('main')).findAllByText(NO_CONNECTION)).toHaveLength(1);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await link('INV-2026-0187');
});

it('a link with parameters that mean nothing opens the list all the same', async () => {
  openList('/invoices?filter=sleeping&age=young&from=yesterday&customer_id=7&sort=weight&order=up');
  expect(await link('INV-2026-0187')).toBeDefined();
});

it.each([
  ['manager', 1],
  ['accountant', 1],
  ['staff', 0],
] as const)('the jobs page of a %s leads to the invoices %s times', async (role, count) => {
  openList('/jobs', JOBS, role);
  await screen.findByText('No jobs found');
  expect(screen.queryAllByRole('link', { name: 'Invoices' })).toHaveLength(count);
});

it.each([390, 1440])('the menu shows the page among the jobs, at %i px', async (width) => {
  window.happyDOM.setViewport({ width });
  openList();
  await screen.findByRole('heading', { level: 1, name: 'Invoices' });
  if (width < 1024) await press('More');
  const menu = within(screen.getByRole('navigation', { name: 'Main menu' }));
  expect(menu.getAllByRole('link', { current: 'page' }).map(({ textContent }) => textContent)).toEqual(['Jobs']);
  window.happyDOM.setViewport({ width: 1024 });
});

it('a list that stays open over midnight is read again on the new day of the company', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-16T10:59:30Z') });
  const server = { row: DUE };
  openList('/invoices', {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, timezone: 'Pacific/Auckland' } }),
    [OLDEST]: () => page(server.row),
  });
  const shown = await link('INV-2026-0209');
  expect(within(shown).queryByText(/late/)).toBeNull();
  server.row = { ...DUE, shown_status: 'overdue', days_late: 1 };
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(await screen.findByText(/1 day late/)).toBeDefined();
  vi.useRealTimers();
});
