import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { setMyTimeZone } from '../src/lib/time-zone.ts';
import { GAS_CATEGORY, JOB, SAM } from './fixtures.ts';
import { BOOKED_JOB, buildBoard, getCardTitles, getColumn, getColumnHeadings, openBoard, UNASSIGNED_JOB } from './open-board.ts';
import { failWith, getToasts, pressButton, typeInto } from './open-page.tsx';

afterEach(() => onlineManager.setOnline(true));

const OLDER_JOB = {
  ...UNASSIGNED_JOB,
  id: '018f0000-0000-7000-8000-0000000000f2',
  title: 'Older job',
  created_at: '2026-01-01T08:00:00.000Z',
};

it('shows six columns in order with job counts, and cards with all their details', async () => {
  openBoard('/board');
  await screen.findByRole('heading', { level: 1, name: 'Job Board' });
  await screen.findByRole('link', { name: /^Roof repair/ });
  expect(getColumnHeadings()).toEqual([
    'Pending1 job',
    'Contacted0 jobs',
    'Booked1 job',
    'Complete0 jobs',
    'Invoiced0 jobs',
    'Canceled0 jobs',
  ]);
  const card = getColumn('Booked').getByRole<HTMLAnchorElement>('link');
  for (const text of ['Roof repair', 'Ana Rossi', '#J26030042', 'Apr 6', 'Sam Leota', 'Timer running']) within(card).getByText(text);
  expect(card.querySelector<HTMLElement>('[data-stripe]')?.style.backgroundColor).toBe('#16a34a');
  expect(card.pathname).toBe(`/jobs/${JOB.id}`);
  const bareCard = getColumn('Pending').getByRole('link');
  for (const text of ['No Customer', 'Not scheduled']) within(bareCard).getByText(text);
  expect(within(bareCard).queryByText(/Timer/)).toBeNull();
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'New Job' }).pathname).toBe('/jobs/new');
});

it('keeps search, person and category in the URL, and offers to clear them when nothing matches', async () => {
  const { search } = openBoard('/board', {
    'GET /board?search=roof': () => buildBoard(BOOKED_JOB),
    [`GET /board?search=roof&staff_id=${SAM.id}`]: () => buildBoard(BOOKED_JOB),
    [`GET /board?search=roof&staff_id=${SAM.id}&category_id=${GAS_CATEGORY.id}`]: () => buildBoard(),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  typeInto('Search jobs', 'roof');
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Blocked drain/ })).toBeNull());
  await screen.findByRole('option', { name: 'Sam Leota' });
  typeInto('Staff Member', SAM.id);
  await waitFor(() => expect(search()).toEqual({ search: 'roof', staff_id: SAM.id }));
  typeInto('Category', GAS_CATEGORY.id);
  await screen.findByText('No jobs found');
  screen.getByText('Nothing on the board matches “roof” with these filters.');
  await pressButton('Clear search and filters');
  await screen.findByRole('link', { name: /^Blocked drain/ });
  expect(search()).toEqual({});
});

it('names a deleted person and a deleted category in its filters, instead of claiming to show all', async () => {
  const gone = '018f0000-0000-7000-8000-00000000dead';
  openBoard(`/board?staff_id=${gone}&category_id=${gone}`, {
    [`GET /board?staff_id=${gone}&category_id=${gone}`]: () => buildBoard(),
  });
  expect((await screen.findByRole<HTMLOptionElement>('option', { name: 'Former staff member' })).selected).toBe(true);
  expect((await screen.findByRole<HTMLOptionElement>('option', { name: 'Deleted category' })).selected).toBe(true);
});

it('says that a search needs a connection and shows no count for it while offline', async () => {
  openBoard('/board', { 'GET /board?search=roof': () => buildBoard(BOOKED_JOB) });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  expect(document.body.textContent).toContain('2 jobs');
  act(() => onlineManager.setOnline(false));
  typeInto('Search jobs', 'roof');
  await screen.findByText('Searching and filtering need a connection. This is what was loaded before.');
  expect(screen.getByRole('link', { name: /^Blocked drain/ })).toBeDefined();
  expect(document.body.textContent).not.toContain('2 jobs');
});

it('an empty board links to the form for the first job', async () => {
  const response = Promise.withResolvers<unknown>();
  openBoard('/board', { 'GET /board': () => response.promise });
  await screen.findByText('Loading...');
  response.resolve(buildBoard());
  await screen.findByText('No jobs found');
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Create New Job' }).pathname).toBe('/jobs/new');
});

it('shows an error with Retry if the board cannot be loaded', async () => {
  let isBroken = true;
  openBoard('/board', { 'GET /board': () => (isBroken ? failWith('FORBIDDEN', 'You may not see this.') : buildBoard(BOOKED_JOB)) });
  await screen.findByText('You may not see this.');
  isBroken = false;
  await pressButton('Retry');
  await screen.findByRole('link', { name: /^Roof repair/ });
  expect(getToasts()).toEqual([]);
});

it('shows 1,000+ for a column and for the board when counting stopped', async () => {
  const board = buildBoard(BOOKED_JOB);
  const [pending] = board.columns;
  if (pending) Object.assign(pending, { total: 1_001 });
  openBoard('/board', { 'GET /board': () => board });
  await screen.findByRole('heading', { name: 'Pending 1,000+ jobs' });
  expect(document.body.textContent).toContain('1,000+ jobs');
});

it('a long column loads its next page from the job list and reports a failure', async () => {
  let isBroken = true;
  const first = { ...buildBoard(BOOKED_JOB, UNASSIGNED_JOB) };
  const pending = first.columns[0];
  if (pending) Object.assign(pending, { total: 2, next_cursor: 'next' });
  openBoard('/board', {
    'GET /board': () => first,
    'GET /jobs?sort=created_at&order=desc&status=pending&cursor=next': () =>
      isBroken ? failWith('UNAVAILABLE', 'Please try again.') : { rows: [OLDER_JOB], next_cursor: null },
  });
  await screen.findByText('Please try again.');
  isBroken = false;
  await pressButton('Retry');
  await waitFor(() => expect(getCardTitles('Pending')).toEqual(['Blocked drain', 'Older job']));
});

it('refetches the next page of a column if its cursor changes while the page loads', async () => {
  const staleResponse = Promise.withResolvers<unknown>();
  const buildBoardWithCursor = (next_cursor: string) => {
    const { columns: all } = buildBoard(BOOKED_JOB, UNASSIGNED_JOB);
    return { columns: all.map((one) => (one.status === 'pending' ? { ...one, total: 2, next_cursor } : one)) };
  };
  let cursor = 'first';
  const buildNextPageCall = (after: string) => `GET /jobs?sort=created_at&order=desc&status=pending&cursor=${after}`;
  const { queryClient } = openBoard('/board', {
    'GET /board': () => buildBoardWithCursor(cursor),
    [buildNextPageCall('first')]: () => staleResponse.promise,
    [buildNextPageCall('second')]: () => ({ rows: [OLDER_JOB], next_cursor: null }),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  cursor = 'second';
  await act(() => queryClient.invalidateQueries({ queryKey: ['jobs'] }));
  await waitFor(() => expect(getCardTitles('Pending')).toEqual(['Blocked drain', 'Older job']));
  await act(async () =>
    staleResponse.resolve({ rows: [{ ...OLDER_JOB, id: '018f0000-0000-7000-8000-0000000000f3' }], next_cursor: 'first' }),
  );
  expect(getCardTitles('Pending')).toEqual(['Blocked drain', 'Older job']);
});

it('shows dates in the selected time zone and updates them when the zone changes', async () => {
  openBoard('/board');
  await screen.findByText('Apr 6');
  act(() => setMyTimeZone('America/New_York'));
  expect(await screen.findByText('Apr 5')).toBeDefined();
});
