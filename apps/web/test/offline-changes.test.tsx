import type { SheetEntry } from '@callout/contract/timer';
import type { JobStatus } from '@callout/domain/jobs/job';
import type { TaskStatus } from '@callout/domain/tasks/task';
import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deleteCommandStorage } from '../src/lib/commands/command-storage.ts';
import { listCommands } from '../src/lib/commands/outbox.ts';
import {
  atTime,
  buildRangeCall,
  buildScheduleOutput,
  findCalendarEvent,
  openDayCalendar,
  ROOF_JOB,
  SCHEDULE_JOB_CALL,
} from './drag-calendar.ts';
import { ADMIN_USER, JOB, SAM, TASK } from './fixtures.ts';
import { stubIndexedDb } from './indexed-db.ts';
import {
  BOOKED_JOB,
  buildBoard,
  getCardTitles,
  getColumn,
  getColumnHeadings,
  moveJobByMenu,
  openBoard,
  SET_JOB_STATUS_CALL,
  UNASSIGNED_JOB,
} from './open-board.ts';
import { buildUnscheduledJob } from './open-calendar.ts';
import { failWith, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';
import { buildTaskListCall, buildTaskPage, COMPLETED_TASK, openTodoPage } from './open-todo.ts';

beforeEach(() => {
  stubIndexedDb();
  vi.useFakeTimers({ now: new Date(atTime('12:00')), toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  await deleteCommandStorage();
});

const SAVED_TOAST = "Saved on this device. It will be sent when you're back online.";
const MARK = 'Not sent yet';

/** A server that answers reads, but no changes before `connect`. */
function createServer() {
  const server = { isReachable: false, sent: [] as unknown[] };
  return {
    ...server,
    answer: (respond: (input: never) => unknown) => (input: unknown) => {
      if (!server.isReachable) throw new TypeError('Failed to fetch');
      server.sent.push(input);
      return respond(input as never);
    },
    /** The next successful read shows the page that the server can be reached. */
    connect: (queryClient: QueryClient) => {
      server.isReachable = true;
      return act(() => queryClient.refetchQueries({ queryKey: ['notifications'] }));
    },
  };
}

const refetch = (queryClient: QueryClient, ...queryKey: string[]) => act(() => queryClient.invalidateQueries({ queryKey }));
const waitUntilSent = () => waitFor(() => expect(listCommands()).toEqual([]));

/** Opens the board of a server that stores the status of the unassigned job. */
function openOfflineBoard(server: ReturnType<typeof createServer>, respond?: () => never) {
  const job = { ...UNASSIGNED_JOB };
  const setStatus = server.answer(({ status }: { status: JobStatus }) => {
    respond?.();
    Object.assign(job, { status });
    return { ...JOB, ...job, clashes: [] };
  });
  return openBoard('/board', { 'GET /board': () => buildBoard(BOOKED_JOB, job), [SET_JOB_STATUS_CALL]: setStatus });
}

async function moveCardOffline(respond?: () => never) {
  const server = createServer();
  const page = openOfflineBoard(server, respond);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Contacted');
  await waitForToasts(SAVED_TOAST);
  return { ...page, server };
}

it('a card moved offline stays in its new column, marked, until the server has the move', async () => {
  const { server, queryClient } = await moveCardOffline();
  await refetch(queryClient, 'jobs');
  await waitFor(() => expect([getCardTitles('Pending'), getCardTitles('Contacted')]).toEqual([[], ['Blocked drain']]));
  expect(getColumnHeadings().slice(0, 2)).toEqual(['Pending0 jobs', 'Contacted1 job']);
  getColumn('Contacted').getByText(MARK);
  await server.connect(queryClient);
  await waitUntilSent();
  expect(server.sent).toEqual([{ status: 'contacted', from: 'pending' }]);
  await refetch(queryClient, 'jobs');
  expect(getCardTitles('Contacted')).toEqual(['Blocked drain']);
  expect(screen.queryByText(MARK)).toBeNull();
});

it('a card moved offline is in its new column after a reload', async () => {
  await moveCardOffline();
  cleanup();
  openOfflineBoard(createServer());
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await waitFor(() => expect(getCardTitles('Contacted')).toEqual(['Blocked drain']));
});

it('a card whose move is refused later returns to its column, and the move is listed with the reason', async () => {
  const { server, queryClient } = await moveCardOffline(() => failWith('JOB_PAID', 'This job is paid.'));
  await server.connect(queryClient);
  await waitFor(() => expect([getCardTitles('Pending'), getCardTitles('Contacted')]).toEqual([['Blocked drain'], []]));
  const chip = await within(screen.getByRole('banner')).findByRole('link', { name: 'Not accepted (1)' });
  await act(async () => chip.click());
  await screen.findByText(`Move #${UNASSIGNED_JOB.job_number} Blocked drain to Contacted`);
  screen.getByText('This job is paid.');
});

it('a refetch that overtakes the answer changes nothing on screen', async () => {
  const answer = Promise.withResolvers<void>();
  const job = { ...UNASSIGNED_JOB };
  const setStatus = async ({ status }: { status: JobStatus }) => {
    Object.assign(job, { status });
    await answer.promise;
    return { ...JOB, ...job, clashes: [] };
  };
  const { queryClient } = openBoard('/board', {
    'GET /board': () => buildBoard(BOOKED_JOB, job),
    [SET_JOB_STATUS_CALL]: (input) => setStatus(input as { status: JobStatus }),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Contacted');
  await waitFor(() => expect(getColumnHeadings()[1]).toBe('Contacted1 job'));
  await refetch(queryClient, 'jobs');
  expect(getColumnHeadings().slice(0, 2)).toEqual(['Pending0 jobs', 'Contacted1 job']);
  await act(async () => answer.resolve());
  await waitForToasts('Job moved to ContactedUndo');
  expect(getColumnHeadings().slice(0, 2)).toEqual(['Pending0 jobs', 'Contacted1 job']);
});

it('a task done offline moves to the completed tasks, with both counts, and is sent once', async () => {
  const server = createServer();
  const task = { ...TASK };
  const listTasks = (status: TaskStatus) => [task, COMPLETED_TASK].filter((row) => row.status === status);
  const { queryClient } = openTodoPage('/todo', {
    [buildTaskListCall('active')]: () => buildTaskPage(...listTasks('active')),
    [buildTaskListCall('completed')]: () => buildTaskPage(...listTasks('completed')),
    'GET /tasks/count?status=active': () => ({ total: listTasks('active').length }),
    'GET /tasks/count?status=completed': () => ({ total: listTasks('completed').length }),
    'PUT /tasks/{id}/status': server.answer(({ status }: { status: TaskStatus }) => {
      Object.assign(task, { status });
      return { ...task, clashes: [] };
    }),
  });
  await pressButton('Completed Tasks 1');
  const checkbox = await screen.findByRole('checkbox', { name: `Completed: ${TASK.title}` });
  await act(async () => fireEvent.click(checkbox));
  await waitForToasts(SAVED_TOAST);
  const expectDone = () => {
    within(screen.getByRole('list', { name: 'Completed Tasks' })).getByRole('checkbox', { name: `Completed: ${TASK.title}` });
    screen.getByRole('button', { name: 'Completed Tasks 2' });
    screen.getByRole('heading', { name: 'Active Tasks 0' });
  };
  await refetch(queryClient, 'tasks');
  expectDone();
  screen.getByText(MARK);
  await server.connect(queryClient);
  await waitUntilSent();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expectDone();
  expect(server.sent).toEqual([{ status: 'completed' }]);
});

const NEXT_DAY_CALL = buildRangeCall('2026-11-17', '2026-11-18');

it('a job moved offline to another day is shown there, marked', async () => {
  const server = createServer();
  openDayCalendar({
    responses: {
      [NEXT_DAY_CALL]: () => ({ jobs: [], tasks: [], is_cut: false }),
      [SCHEDULE_JOB_CALL]: server.answer(({ starts_at }: { starts_at: string }) => buildScheduleOutput({ booking_date: starts_at })),
    },
  });
  await findCalendarEvent(/Roof repair/);
  await pressButton('Move Roof repair to…');
  await screen.findByRole('dialog', { name: 'Move Roof repair' });
  typeInto('Date', '2026-11-17');
  await pressButton('Move');
  await waitForToasts(SAVED_TOAST);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('link', { name: /Roof repair/ })).toBeNull();
  await pressButton('Next');
  const event = await findCalendarEvent(/Roof repair/);
  within(event.closest('li') ?? event).getByText(MARK);
});

it('a job unscheduled offline returns to the tray, and one booked offline leaves it', async () => {
  const server = createServer();
  const tap = buildUnscheduledJob(1);
  openDayCalendar({
    responses: {
      'GET /calendar/unscheduled': () => ({ rows: [tap], next_cursor: null, total: 1 }),
      [SCHEDULE_JOB_CALL]: server.answer(() => buildScheduleOutput({})),
    },
  });
  await findCalendarEvent(/Roof repair/);
  await pressButton('Move Roof repair to…');
  await pressButton('Unschedule');
  await screen.findByRole('button', { name: 'Unscheduled 2' });
  await pressButton('Unscheduled 2');
  await pressButton('Book Tap 1…');
  await pressButton('Book');
  await findCalendarEvent(/Tap 1/);
  await pressButton('Unscheduled 1');
  await screen.findByRole('button', { name: `Book ${ROOF_JOB.title}…` });
  expect(screen.queryByRole('button', { name: 'Book Tap 1…' })).toBeNull();
});

it('a deletion of a notification that is gone already leaves nothing behind', async () => {
  const server = createServer();
  const row = { id: JOB.id, message: 'A job was assigned to you', type: 'info', read: false, created_at: JOB.created_at, data: {} };
  const { queryClient } = openPage('/todo', {
    'GET /me': () => ADMIN_USER,
    'GET /notifications': () => ({ rows: [row], unread: 1 }),
    'DELETE /notifications/{id}': server.answer(() => failWith('NOT_FOUND', 'Notification not found')),
  });
  await pressButton('Notifications, 1 unread');
  await pressButton(`Delete notification: ${row.message}`);
  await screen.findByText('No notifications');
  await waitForToasts(SAVED_TOAST);
  await server.connect(queryClient);
  await waitUntilSent();
  expect(server.sent).toHaveLength(1);
});

it('time corrected offline is shown, and corrected again from there', async () => {
  const server = createServer();
  const entry: SheetEntry = {
    id: 'entry-1',
    job_id: JOB.id,
    job_number: JOB.job_number,
    job_title: JOB.title,
    staff_id: ADMIN_USER.user.staff_id,
    staff_name: 'Mia',
    started_at: atTime('08:00'),
    ended_at: atTime('11:00'),
    original_ended_at: null,
    corrected_at: null,
    corrected_by: null,
    added_by: 'Mia',
    arrived_at: null,
    version: 3,
    is_allocated: false,
    hourly_rate: null,
  };
  window.happyDOM.setViewport({ width: 390, height: 844 });
  const { queryClient } = openPage('/time-sheet?week=2026-11-16', {
    'GET /me': () => ADMIN_USER,
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /time-sheet?week=2026-11-16': () => ({
      week: '2026-11-16',
      from: atTime('00:00', '2026-11-16'),
      to: atTime('00:00', '2026-11-23'),
      timezone: 'Pacific/Auckland',
      entries: [entry],
      server_time: atTime('12:00'),
    }),
    'PUT /worked-time/entry-1': server.answer((input: object) => Object.assign(entry, input, { version: entry.version + 1 })),
  });
  const changeEnd = async (time: string) => {
    await pressButton('Change time');
    await screen.findByRole('dialog', { name: 'Change Time' });
    typeInto('End', time);
    await pressButton('Save');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await changeEnd('10:00');
  await screen.findByText('8:00 AM – 10:00 AM');
  await changeEnd('09:30');
  await screen.findByText('8:00 AM – 9:30 AM');
  screen.getByText(MARK);
  await server.connect(queryClient);
  await waitUntilSent();
  expect(server.sent).toMatchObject([
    { version: 3, ended_at: atTime('10:00') },
    { version: 4, ended_at: atTime('09:30') },
  ]);
  await waitFor(() => expect(screen.queryByText(MARK)).toBeNull());
  screen.getByText('8:00 AM – 9:30 AM');
});
