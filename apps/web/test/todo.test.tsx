import type { Clash } from '@callout/contract/clash';
import type { Task } from '@callout/contract/tasks';
import { localDate } from '@callout/domain/time/zoned-time';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { chooseTimeZone } from '../src/lib/time-zone.ts';
import { press, refuse, typeInto, valueOf, waitForFocus, waitForToasts } from './open-page.tsx';
import { DONE, list, OTHER, openTaskDialog, openTodo, pageOf } from './open-todo.ts';
import { JOB, MIA, SAM, TASK } from './people.ts';

const titles = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((item) => within(item).getByRole('link').textContent);
const findActive = () => screen.findByRole('list', { name: 'Active Tasks' });
const click = (element: HTMLElement) => act(async () => fireEvent.click(element));

it('lists what is to be done, and what was done below its count when it is opened', async () => {
  openTodo('/todo');
  await findActive();
  expect(titles('Active Tasks')).toEqual(['Order parts', 'Call the council']);
  const [item] = within(await findActive()).getAllByRole('listitem');
  expect(item?.textContent).toContain('Mon, Apr 6, 8:00 AM – 9:30 AM');
  expect(item?.textContent).toContain('Sam Leota');
  expect(screen.queryByText('Wash the van')).toBeNull();
  await press('Completed Tasks 1');
  await screen.findByText('Wash the van');
  screen.getByText('Completed Mar 2, 2026');
});

it('shows nothing below the list before the list, which would push it down', async () => {
  let answer: (page: unknown) => void = () => undefined;
  openTodo('/todo', { [list('active')]: () => new Promise((resolve) => (answer = resolve)) });
  await screen.findByText('Loading tasks');
  expect(screen.queryByRole('button', { name: /^Completed Tasks/ })).toBeNull();
  answer(pageOf(TASK));
  await findActive();
  screen.getByRole('button', { name: /^Completed Tasks/ });
});

it('names the time zone when a person has chosen their own', async () => {
  openTodo('/todo');
  await findActive();
  expect(screen.queryByText(/ time$/)).toBeNull();
  act(() => chooseTimeZone('Asia/Tokyo'));
  expect(await screen.findByText('Tokyo time')).toBeTruthy();
  act(() => chooseTimeZone(null));
});

it('without tasks says so and offers to add one', async () => {
  openTodo('/todo', {}, [], []);
  await screen.findByText('No active tasks');
  expect(screen.getAllByRole('link', { name: 'Add Task' })).toHaveLength(2);
});

it('says what is wrong when the list cannot be read, and reads it again', async () => {
  let isBroken = true;
  openTodo('/todo', { [list('active')]: () => (isBroken ? refuse('FORBIDDEN', 'You may not see this') : pageOf(TASK)) });
  const alert = await screen.findByRole('alert');
  isBroken = false;
  await click(within(alert).getByRole('button', { name: 'Retry' }));
  await findActive();
  expect(titles('Active Tasks')).toEqual(['Order parts']);
});

it('without a connection says so instead of what was not read yet, and reads it once there is one', async () => {
  openTodo('/todo');
  await findActive();
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await press('Completed Tasks 1');
  expect((await screen.findByRole('alert')).textContent).toContain('Retry');
  expect(titles('Active Tasks')).toEqual(['Order parts', 'Call the council']);
  isOnline.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await screen.findByText('Wash the van');
});

it('more than a page of tasks are shown on demand', async () => {
  openTodo('/todo', {
    [list('active')]: () => ({ rows: [TASK], next_cursor: 'next' }),
    'GET /tasks?status=active&cursor=next': () => pageOf(OTHER),
  });
  await findActive();
  await press('Show more');
  await waitFor(() => expect(titles('Active Tasks')).toEqual(['Order parts', 'Call the council']));
});

it('a tick completes a task before the server has answered, and Undo takes it back', async () => {
  const answer = Promise.withResolvers<void>();
  let isDone = false;
  const { sent } = openTodo('/todo', {
    [list('active')]: () => pageOf(...(isDone ? [OTHER] : [TASK, OTHER])),
    'PUT /tasks/{id}/status': async (input) => {
      const { status } = input as { status: Task['status'] };
      sent.push(status);
      await answer.promise;
      isDone = status === 'completed';
      return { ...TASK, status, completed_at: isDone ? '2026-03-05T08:00:00.000Z' : null, clashes: [] };
    },
  });
  await findActive();
  await click(screen.getByRole('checkbox', { name: 'Completed: Order parts' }));
  await waitFor(() => expect(titles('Active Tasks')).toEqual(['Call the council']));
  await screen.findByRole('button', { name: 'Completed Tasks 2' });
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Completed: Call the council' }));
  answer.resolve();
  await screen.findByText('Task completed');
  await press('Undo');
  await waitFor(() => expect(titles('Active Tasks')).toEqual(['Order parts', 'Call the council']));
  await waitFor(() => expect(sent).toEqual(['completed', 'active']));
});

it('a task that could not be completed is back, and a message says why', async () => {
  openTodo('/todo', { 'PUT /tasks/{id}/status': () => refuse('INTERNAL') });
  await findActive();
  await click(screen.getByRole('checkbox', { name: 'Completed: Order parts' }));
  await waitForToasts('Failed to update task: An unexpected error occurred. Please try again later.');
  expect(titles('Active Tasks')).toEqual(['Order parts', 'Call the council']);
});

it('a completed task is made active again', async () => {
  const { sent } = openTodo('/todo');
  await press('Completed Tasks 1');
  await click(await screen.findByRole('checkbox', { name: 'Completed: Wash the van' }));
  await waitFor(() => expect(sent).toEqual([{ status: 'active' }]));
  await screen.findByText('Task reactivated');
});

it('a task that is made active again names what else takes that time', async () => {
  const clash: Clash = {
    kind: 'job',
    id: JOB.id,
    job_number: 'J26110009',
    title: 'Roof repair',
    staff_name: 'Sam Leota',
    starts_at: '2026-04-05T20:00:00.000Z',
    ends_at: '2026-04-05T22:00:00.000Z',
    overlap_minutes: 90,
  };
  const { queryClient } = openTodo('/todo', {
    'PUT /tasks/{id}/status': () => ({ ...DONE, status: 'active', completed_at: null, clashes: [clash] }),
    'GET /calendar/clashes?*': () => ({ clashes: [clash] }),
  });
  await press('Completed Tasks 1');
  await click(await screen.findByRole('checkbox', { name: 'Completed: Wash the van' }));
  const named = 'Sam Leota is already booked for Roof repair (#J26110009), 8:00 – 10:00 AM (1 h 30 min overlap).';
  await waitForToasts(named, 'Task reactivatedUndo');
  expect(queryClient.getQueryData(['tasks', 'detail', DONE.id])).not.toHaveProperty('clashes');
});

async function pressDelete() {
  await findActive();
  await press('More actions for Order parts');
  await click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete task?' });
  await click(within(question).getByRole('button', { name: 'Delete' }));
}

it('deletes a task after a question', async () => {
  let isDeleted = false;
  openTodo('/todo', {
    [list('active')]: () => pageOf(...(isDeleted ? [OTHER] : [TASK, OTHER])),
    'DELETE /tasks/{id}': () => {
      isDeleted = true;
      return {};
    },
  });
  await pressDelete();
  await waitForToasts('Task deleted successfully');
  await waitFor(() => expect(titles('Active Tasks')).toEqual(['Call the council']));
});

it('a task that could not be deleted stays', async () => {
  openTodo('/todo', { 'DELETE /tasks/{id}': () => refuse('INTERNAL') });
  await pressDelete();
  await waitForToasts('Failed to delete task: An unexpected error occurred. Please try again later.');
  expect(titles('Active Tasks')).toEqual(['Order parts', 'Call the council']);
});

it('Add Task opens in the URL with today, 08:00 and one hour, and closes with Cancel', async () => {
  const { router } = openTodo('/todo');
  await findActive();
  const [link] = screen.getAllByRole('link', { name: 'Add Task' });
  if (link) await click(link);
  const dialog = await screen.findByRole('dialog', { name: 'Add Task' });
  expect(router.state.location.href).toBe('/todo?add=true');
  await within(dialog).findByLabelText('Title');
  expect(screen.queryByLabelText('Date')).toBeNull();
  await click(screen.getByLabelText('Show in calendar'));
  const today = localDate(new Date().toISOString(), 'Pacific/Auckland');
  expect([valueOf('Date'), valueOf(/^Time/), valueOf(/^Duration/)]).toEqual([today, '08:00', '1']);
  screen.getByText('Auckland time');
  await press('Cancel');
  await press('Leave');
  await waitFor(() => expect(router.state.location.href).toBe('/todo'));
});

it('has the eight colors by name, of which arrow keys choose one', async () => {
  await openTaskDialog('/todo?add=true');
  const group = screen.getByRole('group', { name: 'Color' });
  const radios = within(group).getAllByRole<HTMLInputElement>('radio');
  expect(radios.map(({ labels }) => labels?.[0]?.textContent)).toEqual([
    'Yellow',
    'Blue',
    'Purple',
    'Green',
    'Red',
    'Pink',
    'Indigo',
    'Teal',
  ]);
  expect(radios.filter(({ checked }) => checked).map(({ value }) => value)).toEqual(['yellow']);
  expect(new Set(radios.map(({ name }) => name)).size).toBe(1);
});

it('adds a task, without a date when it is not in the calendar', async () => {
  const { router, sent } = await openTaskDialog('/todo?add=true');
  typeInto('Title', 'Buy sealant');
  await click(screen.getByLabelText('Teal'));
  await press('Add Task');
  await waitForToasts('Task added successfully');
  expect(sent).toEqual([
    expect.objectContaining({
      title: 'Buy sealant',
      description: null,
      color: 'teal',
      show_in_calendar: false,
      calendar_date: null,
      calendar_duration: null,
      staff_id: null,
    }),
  ]);
  await waitFor(() => expect(router.state.location.href).toBe('/todo'));
});

it('adds a task to the calendar at a wall time of the shown zone, for somebody', async () => {
  const { sent } = await openTaskDialog('/todo?add=true');
  typeInto('Title', 'Buy sealant');
  await click(screen.getByLabelText('Show in calendar'));
  typeInto('Date', '2026-04-06');
  typeInto(/^Time/, '09:15');
  typeInto(/^Duration/, '0.5');
  typeInto(/^Staff member/, MIA.id);
  await press('Add Task');
  await waitForToasts('Task added successfully');
  expect(sent).toEqual([
    expect.objectContaining({
      calendar_date: '2026-04-05T21:15:00.000Z',
      calendar_duration: '0.5',
      staff_id: MIA.id,
      show_in_calendar: true,
    }),
  ]);
});

it('says what is missing: a title, and in the calendar a date and a duration of half hours', async () => {
  const { sent } = await openTaskDialog('/todo?add=true');
  typeInto('Title', '   ');
  await click(screen.getByLabelText('Show in calendar'));
  typeInto('Date', '');
  typeInto(/^Time/, '');
  typeInto(/^Duration/, '0.25');
  await press('Add Task');
  await screen.findByText('Title is required');
  screen.getByText('Date is required');
  screen.getByText('Time is required');
  screen.getByText('Duration must be at least 0.5 hours, in steps of 0.5');
  await waitForFocus('Title');
  expect(sent).toEqual([]);
});

it('keeps what was typed when a task could not be added', async () => {
  await openTaskDialog('/todo?add=true', { 'POST /tasks': () => refuse('INTERNAL') });
  typeInto('Title', 'Buy sealant');
  await press('Add Task');
  await waitForToasts('Failed to add task: An unexpected error occurred. Please try again later.');
  expect(valueOf('Title')).toBe('Buy sealant');
});

it('edits a task: what is not touched stays as it is stored', async () => {
  const stored: Task = { ...TASK, calendar_date: '2026-04-05T20:00:30.000Z', calendar_duration: '1.25' };
  const { sent, router } = await openTaskDialog(`/todo?task=${TASK.id}`, {
    'GET /tasks/{id}': () => stored,
    [list('active')]: () => pageOf(stored),
  });
  expect([valueOf('Title'), valueOf('Date'), valueOf(/^Time/), valueOf(/^Duration/)]).toEqual([
    'Order parts',
    '2026-04-06',
    '08:00',
    '1.25',
  ]);
  typeInto('Title', 'Order more parts');
  await press('Save Changes');
  await waitForToasts('Task updated successfully');
  expect(sent).toEqual([
    expect.objectContaining({
      version: 1,
      title: 'Order more parts',
      calendar_date: stored.calendar_date,
      calendar_duration: '1.25',
      staff_id: SAM.id,
    }),
  ]);
  await waitFor(() => expect(router.state.location.href).toBe('/todo'));
});

it('a task that could not be saved keeps the dialog and what was typed', async () => {
  await openTaskDialog(`/todo?task=${TASK.id}`, { 'PUT /tasks/{id}': () => refuse('INTERNAL') });
  typeInto('Title', 'Order more parts');
  await press('Save Changes');
  await waitForToasts('Failed to update task: An unexpected error occurred. Please try again later.');
  expect(valueOf('Title')).toBe('Order more parts');
});

it('shows both versions when somebody else has saved the task first', async () => {
  const theirs = { ...TASK, title: 'Order all parts', version: 2 };
  await openTaskDialog(`/todo?task=${TASK.id}`, {
    'PUT /tasks/{id}': () => refuse('STALE_VERSION', 'Someone else has changed this.', { current: theirs }),
  });
  typeInto('Title', 'Order more parts');
  await press('Save Changes');
  const conflict = await screen.findByRole('alert');
  expect(conflict.textContent).toContain('Theirs: Order all parts');
  expect(conflict.textContent).toContain('Yours: Order more parts');
  expect(valueOf('Title')).toBe('Order more parts');
});

it('a task that is not there closes its dialog, and a message says so', async () => {
  const { router } = openTodo(`/todo?task=${DONE.id}`, { 'GET /tasks/{id}': () => refuse('NOT_FOUND', 'Task not found') });
  await waitFor(() => expect(router.state.location.href).toBe('/todo'));
  await waitForToasts('Task not found. It may have been deleted.');
});

it('N opens the form of a new task', async () => {
  const { router } = openTodo('/todo');
  await findActive();
  fireEvent.keyDown(document.body, { key: 'n' });
  await screen.findByRole('dialog', { name: 'Add Task' });
  expect(router.state.location.href).toBe('/todo?add=true');
});
