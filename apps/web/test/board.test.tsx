import type { BoardColumn } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, waitForToasts } from './open-page.tsx';
import { DRAINS, GAS, JOB, JOB_PARTS, OWNER, SAM } from './people.ts';

const ROW: JobRow = { ...JOB, timer_status: 'started', matched: null };
const BARE: JobRow = {
  ...ROW,
  id: '018f0000-0000-7000-8000-0000000000f1',
  title: 'Blocked drain',
  job_number: 'J26030043',
  status: 'pending',
  customer: null,
  staff: null,
  booking_date: null,
  timer_status: null,
};

function boardOf(...rows: JobRow[]): { columns: BoardColumn[] } {
  const columnOf = (status: JobStatus): BoardColumn => {
    const found = rows.filter((row) => row.status === status);
    return { status, total: found.length, rows: found, next_cursor: null };
  };
  return { columns: BOARD_STATUSES.map(columnOf) };
}

const SET_STATUS = 'PUT /jobs/{id}/status';

function openBoard(path: string, more: Answers = {}) {
  const opened = openPage(path, {
    'GET /me': () => OWNER,
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /categories': () => ({ rows: [DRAINS, GAS] }),
    'GET /board': () => boardOf(ROW, BARE),
    [`GET /jobs/${JOB.id}`]: () => JOB,
    ...JOB_PARTS,
    ...more,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

/** A board on a server that carries moves out. */
function playBoard(refused?: () => never): { answers: Answers; asked: unknown[]; set: (status: JobStatus) => void } {
  const job = { status: 'pending' as JobStatus };
  const asked: unknown[] = [];
  const setStatus = (input: unknown) => {
    asked.push(input);
    refused?.();
    job.status = (input as { status: JobStatus }).status;
    return { ...JOB, ...BARE, status: job.status };
  };
  return {
    answers: { 'GET /board': () => boardOf(ROW, { ...BARE, status: job.status }), [SET_STATUS]: setStatus },
    asked,
    set: (status) => {
      job.status = status;
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

const columns = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const column = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) }));
const titlesIn = (name: string) =>
  column(name)
    .queryAllByRole('link')
    .map((card) => card.querySelector('span span:not([aria-hidden])')?.textContent);

async function moveByMenu(title: string, to: string): Promise<void> {
  await press(`Move ${title} to…`);
  const item = await screen.findByRole('menuitem', { name: `Move to ${to}` });
  await act(async () => fireEvent.click(item));
}

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

it('a card is moved with its menu and back with Undo', async () => {
  const { answers, asked } = playBoard();
  openBoard('/board', answers);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Complete');
  await waitForToasts('Job moved to CompleteUndo');
  expect(asked).toEqual([{ status: 'complete', from: 'pending' }]);
  await waitFor(() => expect([titlesIn('Pending'), titlesIn('Complete')]).toEqual([[], ['Blocked drain']]));
  await press('Undo');
  await waitFor(() => expect(titlesIn('Pending')).toEqual(['Blocked drain']));
  expect(asked).toEqual([
    { status: 'complete', from: 'pending' },
    { status: 'pending', from: 'complete' },
  ]);
});

it('by keyboard: Space picks up, arrows choose the column, Space drops, and the focus goes along', async () => {
  const { answers, asked } = playBoard();
  openBoard('/board', answers);
  const card = await screen.findByRole('link', { name: /^Blocked drain/ });
  act(() => card.focus());
  const key = (name: string) => act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: name }));
  await key(' ');
  screen.getByText(/^Blocked drain picked up from Pending/);
  await key('ArrowRight');
  await key('Escape');
  screen.getByText('Blocked drain stays in Pending.');
  expect(asked).toEqual([]);
  await key(' ');
  await key('ArrowRight');
  await key('ArrowRight');
  await key('ArrowLeft');
  await key('Enter');
  await waitForToasts('Job moved to ContactedUndo');
  expect(asked).toEqual([{ status: 'contacted', from: 'pending' }]);
  await waitFor(() => expect(document.activeElement).toBe(column('Contacted').getByRole('link')));
  await key('ArrowRight');
  await waitFor(() => expect(document.activeElement).toBe(column('Booked').getByRole('link')));
});

it('shows a move at once, and takes it back when the server fails', async () => {
  const answer = Promise.withResolvers<never>();
  openBoard('/board', { ...playBoard().answers, [SET_STATUS]: () => answer.promise });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Invoiced');
  await waitFor(() => expect([titlesIn('Pending'), titlesIn('Invoiced')]).toEqual([[], ['Blocked drain']]));
  expect(columns()[4]).toBe('Invoiced1 job');
  answer.reject(new TypeError('Failed to fetch'));
  await waitForToasts('Failed to update job status: Unable to connect to the server. Please check your internet connection and try again.');
  expect([titlesIn('Pending'), titlesIn('Invoiced')]).toEqual([['Blocked drain'], []]);
});

it.each([
  ['JOB_PAID', 'This job is paid. Reverse a payment on its payment page first.'],
  ['JOB_BILLED', 'This job has an open invoice. Cancel it with a credit note on the payment page first.'],
] as const)('a refused move says why: %s', async (code, message) => {
  openBoard('/board', playBoard(() => refuse(code, message)).answers);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Canceled');
  await waitForToasts(`Failed to update job status: ${message}`);
  await waitFor(() => expect(titlesIn('Pending')).toEqual(['Blocked drain']));
});

it('a job that a colleague has moved meanwhile shows where it is now', async () => {
  const server = playBoard(() => {
    server.set('complete');
    return refuse('STALE_VERSION', 'Changed', { current: { ...JOB, id: BARE.id, status: 'complete' } });
  });
  openBoard('/board', server.answers);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Contacted');
  await waitForToasts('Failed to update job status: Someone else has changed this job. It is complete now.');
  await waitFor(() => expect([titlesIn('Contacted'), titlesIn('Complete')]).toEqual([[], ['Blocked drain']]));
});

it('a job that a colleague has deleted is removed, with the reason', async () => {
  let isDeleted = false;
  openBoard('/board', {
    'GET /board': () => (isDeleted ? boardOf(ROW) : boardOf(ROW, BARE)),
    [SET_STATUS]: () => {
      isDeleted = true;
      return refuse('NOT_FOUND', 'Job not found');
    },
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Contacted');
  await waitForToasts('Failed to update job status: Someone else has deleted this job.');
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Blocked drain/ })).toBeNull());
});

it('a job that its payments make paid leaves the board, without an Undo', async () => {
  openBoard('/board', {
    ...playBoard().answers,
    [SET_STATUS]: () => ({ ...JOB, id: BARE.id, status: 'paid' }),
    'GET /board': () => boardOf(ROW, BARE),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Complete');
  await waitForToasts('Job moved to Paid');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
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
  await press('Clear search and filter');
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
