import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseTimeZone } from '../src/lib/time-zone.ts';
import { BARE, boardOf, column, columns, openBoard, ROW, titlesIn } from './open-board.ts';
import { press, refuse, toastTexts, typeInto } from './open-page.tsx';
import { GAS, JOB, SAM } from './people.ts';

it('has six columns in their order with counts, and cards with all that is asked for', async () => {
  openBoard('/board');
  await screen.findByRole('heading', { level: 1, name: 'Job Board' });
  await screen.findByRole('link', { name: /^Roof repair/ });
  expect(columns()).toEqual(['Pending1 job', 'Contacted0 jobs', 'Booked1 job', 'Complete0 jobs', 'Invoiced0 jobs', 'Canceled0 jobs']);
  const card = column('Booked').getByRole<HTMLAnchorElement>('link');
  for (const text of ['Roof repair', 'Ana Rossi', '#J26030042', 'Apr 6', 'Sam Leota', 'Timer running']) within(card).getByText(text);
  expect(card.querySelector<HTMLElement>('[data-stripe]')?.style.backgroundColor).toBe('#16a34a');
  expect(card.pathname).toBe(`/jobs/${JOB.id}`);
  const bare = column('Pending').getByRole('link');
  for (const text of ['No Customer', 'Not scheduled']) within(bare).getByText(text);
  expect(within(bare).queryByText(/Timer/)).toBeNull();
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'New Job' }).pathname).toBe('/jobs/new');
});

it('search, person and category are in the URL; nothing found offers to clear them', async () => {
  const { search } = openBoard('/board', {
    'GET /board?search=roof': () => boardOf(ROW),
    [`GET /board?search=roof&staff_id=${SAM.id}`]: () => boardOf(ROW),
    [`GET /board?search=roof&staff_id=${SAM.id}&category_id=${GAS.id}`]: () => boardOf(),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  typeInto('Search jobs', 'roof');
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Blocked drain/ })).toBeNull());
  await screen.findByRole('option', { name: 'Sam Leota' });
  typeInto('Staff Member', SAM.id);
  await waitFor(() => expect(search()).toEqual({ search: 'roof', staff_id: SAM.id }));
  typeInto('Category', GAS.id);
  await screen.findByText('No jobs found');
  screen.getByText('Nothing on the board matches “roof” with these filters.');
  await press('Clear search and filters');
  await screen.findByRole('link', { name: /^Blocked drain/ });
  expect(search()).toEqual({});
});

it('without jobs it says so and leads to the first one', async () => {
  const answer = Promise.withResolvers<unknown>();
  openBoard('/board', { 'GET /board': () => answer.promise });
  await screen.findByText('Loading...');
  answer.resolve(boardOf());
  await screen.findByText('No jobs found');
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Create New Job' }).pathname).toBe('/jobs/new');
});

it('a board that cannot be read says so, with Retry', async () => {
  let isBroken = true;
  openBoard('/board', { 'GET /board': () => (isBroken ? refuse('FORBIDDEN', 'You may not see this.') : boardOf(ROW)) });
  await screen.findByText('You may not see this.');
  isBroken = false;
  await press('Retry');
  await screen.findByRole('link', { name: /^Roof repair/ });
  expect(toastTexts()).toEqual([]);
});

it('a long column reads its next page from the list of jobs, and says when that fails', async () => {
  let isBroken = true;
  const first = { ...boardOf(ROW, BARE) };
  const pending = first.columns[0];
  if (pending) Object.assign(pending, { total: 2, next_cursor: 'next' });
  const older = { ...BARE, id: '018f0000-0000-7000-8000-0000000000f2', title: 'Older job', created_at: '2026-01-01T08:00:00.000Z' };
  openBoard('/board', {
    'GET /board': () => first,
    'GET /jobs?sort=created_at&order=desc&status=pending&cursor=next': () =>
      isBroken ? refuse('UNAVAILABLE', 'Please try again.') : { rows: [older], next_cursor: null },
  });
  await screen.findByText('Please try again.');
  isBroken = false;
  await press('Retry');
  await waitFor(() => expect(titlesIn('Pending')).toEqual(['Blocked drain', 'Older job']));
});

it('a column that ends elsewhere while its next page is read asks for the page from there', async () => {
  const late = Promise.withResolvers<unknown>();
  const board = (next_cursor: string) => {
    const { columns: all } = boardOf(ROW, BARE);
    return { columns: all.map((one) => (one.status === 'pending' ? { ...one, total: 2, next_cursor } : one)) };
  };
  let cursor = 'first';
  const older = { ...BARE, id: '018f0000-0000-7000-8000-0000000000f2', title: 'Older job', created_at: '2026-01-01T08:00:00.000Z' };
  const next = (after: string) => `GET /jobs?sort=created_at&order=desc&status=pending&cursor=${after}`;
  const { queryClient } = openBoard('/board', {
    'GET /board': () => board(cursor),
    [next('first')]: () => late.promise,
    [next('second')]: () => ({ rows: [older], next_cursor: null }),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  cursor = 'second';
  await act(() => queryClient.invalidateQueries({ queryKey: ['jobs'] }));
  await waitFor(() => expect(titlesIn('Pending')).toEqual(['Blocked drain', 'Older job']));
  await act(async () => late.resolve({ rows: [{ ...older, id: '018f0000-0000-7000-8000-0000000000f3' }], next_cursor: 'first' }));
  expect(titlesIn('Pending')).toEqual(['Blocked drain', 'Older job']);
});

it('shows days in the zone that is chosen, also when that changes while it is open', async () => {
  openBoard('/board');
  await screen.findByText('Apr 6');
  act(() => chooseTimeZone('America/New_York'));
  expect(await screen.findByText('Apr 5')).toBeDefined();
});
