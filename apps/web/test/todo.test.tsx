import type { Clash } from '@callout/contract/clash';
import type { Task } from '@callout/contract/tasks';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { setMyTimeZone } from '../src/lib/time-zone.ts';
import { JOB, MIA, SAM, TASK } from './fixtures.ts';
import { failWith, getValue, pressButton, typeInto, waitForFocus, waitForToasts } from './open-page.tsx';
import { buildTaskListCall, buildTaskPage, COMPLETED_TASK, OTHER_TASK, openTaskDialog, openTodoPage } from './open-todo.ts';

const getTaskTitles = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((item) => within(item).getByRole('link').textContent);
const findActiveTasks = () => screen.findByRole('list', { name: 'Active Tasks' });
const click = (element: HTMLElement) => act(async () => fireEvent.click(element));

it('lists active tasks, and completed ones when their section is expanded', async () => {
  openTodoPage('/todo');
  await findActiveTasks();
  expect(getTaskTitles('Active Tasks')).toEqual(['Order parts', 'Call the council']);
  const [item] = within(await findActiveTasks()).getAllByRole('listitem');
  expect(item?.textContent).toContain('Mon, Apr 6, 8:00 AM – 9:30 AM');
  expect(item?.textContent).toContain('Sam Leota');
  expect(screen.queryByText('Wash the van')).toBeNull();
  await pressButton('Completed Tasks 1');
  await screen.findByText('Wash the van');
  screen.getByText('Completed Mar 2, 2026');
});

it('hides the completed section until the list has loaded, to avoid a layout shift', async () => {
  let respond: (page: unknown) => void = () => undefined;
  openTodoPage('/todo', { [buildTaskListCall('active')]: () => new Promise((resolve) => (respond = resolve)) });
  await screen.findByText('Loading tasks');
  expect(screen.queryByRole('button', { name: /^Completed Tasks/ })).toBeNull();
  respond(buildTaskPage(TASK));
  await findActiveTasks();
  screen.getByRole('button', { name: /^Completed Tasks/ });
});

it('names the time zone if the person has chosen their own', async () => {
  openTodoPage('/todo');
  await findActiveTasks();
  act(() => setMyTimeZone('Asia/Tokyo'));
  expect(await screen.findByText('Times are in Tokyo time')).toBeTruthy();
  act(() => setMyTimeZone(null));
});

it('shows an empty state with a link to add a task', async () => {
  openTodoPage('/todo', {}, [], []);
  await screen.findByText('No active tasks');
  expect(screen.getAllByRole('link', { name: 'Add Task' })).toHaveLength(2);
});

it('shows an error when the tasks failed to load and reloads them on Retry', async () => {
  let isBroken = true;
  openTodoPage('/todo', {
    [buildTaskListCall('active')]: () => (isBroken ? failWith('FORBIDDEN', 'You may not see this') : buildTaskPage(TASK)),
  });
  const alert = await screen.findByRole('alert');
  isBroken = false;
  await click(within(alert).getByRole('button', { name: 'Retry' }));
  await findActiveTasks();
  expect(getTaskTitles('Active Tasks')).toEqual(['Order parts']);
});

it('shows an error for completed tasks while offline and loads them once online', async () => {
  openTodoPage('/todo');
  await findActiveTasks();
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await pressButton('Completed Tasks 1');
  expect((await screen.findByRole('alert')).textContent).toContain('Retry');
  expect(getTaskTitles('Active Tasks')).toEqual(['Order parts', 'Call the council']);
  isOnline.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await screen.findByText('Wash the van');
});

it('loads the next page of tasks on Show more', async () => {
  openTodoPage('/todo', {
    [buildTaskListCall('active')]: () => ({ rows: [TASK], next_cursor: 'next' }),
    'GET /tasks?status=active&cursor=next': () => buildTaskPage(OTHER_TASK),
  });
  await findActiveTasks();
  await pressButton('Show more');
  await waitFor(() => expect(getTaskTitles('Active Tasks')).toEqual(['Order parts', 'Call the council']));
});

it('completes a checked task optimistically, and Undo reactivates it', async () => {
  const response = Promise.withResolvers<void>();
  let isDone = false;
  const { sent } = openTodoPage('/todo', {
    [buildTaskListCall('active')]: () => buildTaskPage(...(isDone ? [OTHER_TASK] : [TASK, OTHER_TASK])),
    'PUT /tasks/{id}/status': async (input) => {
      const { status } = input as { status: Task['status'] };
      sent.push(status);
      await response.promise;
      isDone = status === 'completed';
      return { ...TASK, status, completed_at: isDone ? '2026-03-05T08:00:00.000Z' : null, clashes: [] };
    },
  });
  await findActiveTasks();
  await click(screen.getByRole('checkbox', { name: 'Completed: Order parts' }));
  await waitFor(() => expect(getTaskTitles('Active Tasks')).toEqual(['Call the council']));
  await screen.findByRole('button', { name: 'Completed Tasks 2' });
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Completed: Call the council' }));
  response.resolve();
  await screen.findByText('Task completed');
  await pressButton('Undo');
  await waitFor(() => expect(getTaskTitles('Active Tasks')).toEqual(['Order parts', 'Call the council']));
  await waitFor(() => expect(sent).toEqual(['completed', 'active']));
});

it('restores a task that could not be completed and shows why', async () => {
  openTodoPage('/todo', { 'PUT /tasks/{id}/status': () => failWith('NOT_FOUND', 'Task not found') });
  await findActiveTasks();
  await click(screen.getByRole('checkbox', { name: 'Completed: Order parts' }));
  await waitForToasts('Failed to update task: Task not found');
  expect(getTaskTitles('Active Tasks')).toEqual(['Order parts', 'Call the council']);
});

it('reactivates a completed task', async () => {
  const { sent } = openTodoPage('/todo');
  await pressButton('Completed Tasks 1');
  await click(await screen.findByRole('checkbox', { name: 'Completed: Wash the van' }));
  await waitFor(() => expect(sent).toEqual([{ status: 'active' }]));
  await screen.findByText('Task reactivated');
});

it('warns about a clash when a task is reactivated', async () => {
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
  const { queryClient } = openTodoPage('/todo', {
    'PUT /tasks/{id}/status': () => ({ ...COMPLETED_TASK, status: 'active', completed_at: null, clashes: [clash] }),
    'GET /calendar/clashes?*': () => ({ clashes: [clash] }),
  });
  await pressButton('Completed Tasks 1');
  await click(await screen.findByRole('checkbox', { name: 'Completed: Wash the van' }));
  const clashMessage = 'Sam Leota is already booked for Roof repair (#J26110009), 8:00 – 10:00 AM (1 h 30 min overlap).';
  await waitForToasts(clashMessage, 'Task reactivatedUndo');
  expect(queryClient.getQueryData(['tasks', 'detail', COMPLETED_TASK.id])).not.toHaveProperty('clashes');
});

async function deleteTask() {
  await findActiveTasks();
  await pressButton('More actions for Order parts');
  await click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const confirmation = await screen.findByRole('alertdialog', { name: 'Delete task?' });
  await click(within(confirmation).getByRole('button', { name: 'Delete' }));
}

it('deletes a task after a confirmation', async () => {
  let isDeleted = false;
  openTodoPage('/todo', {
    [buildTaskListCall('active')]: () => buildTaskPage(...(isDeleted ? [OTHER_TASK] : [TASK, OTHER_TASK])),
    'DELETE /tasks/{id}': () => {
      isDeleted = true;
      return {};
    },
  });
  await deleteTask();
  await waitForToasts('Task deleted successfully');
  await waitFor(() => expect(getTaskTitles('Active Tasks')).toEqual(['Call the council']));
});

it('keeps a task that could not be deleted', async () => {
  openTodoPage('/todo', { 'DELETE /tasks/{id}': () => failWith('INTERNAL') });
  await deleteTask();
  await waitForToasts('Failed to delete task: An unexpected error occurred. Please try again later.');
  expect(getTaskTitles('Active Tasks')).toEqual(['Order parts', 'Call the council']);
});

it('opens Add Task at its own URL with today, 08:00 and one hour, and closes it on Cancel', async () => {
  const { router } = openTodoPage('/todo');
  await findActiveTasks();
  const [link] = screen.getAllByRole('link', { name: 'Add Task' });
  if (link) await click(link);
  const dialog = await screen.findByRole('dialog', { name: 'Add Task' });
  expect(router.state.location.href).toBe('/todo?add=true');
  await within(dialog).findByLabelText('Title');
  expect(screen.queryByLabelText('Date')).toBeNull();
  await click(screen.getByLabelText('Show in calendar'));
  const today = toLocalDate(new Date().toISOString(), 'Pacific/Auckland');
  expect([getValue('Date'), getValue(/^Time/), getValue(/^Duration/)]).toEqual([today, '08:00', '1']);
  screen.getByText('Auckland time');
  await pressButton('Cancel');
  await pressButton('Leave');
  await waitFor(() => expect(router.state.location.href).toBe('/todo'));
});

it('offers eight named colors as one radio group', async () => {
  await openTaskDialog('/todo?add=true');
  const colorGroup = screen.getByRole('group', { name: 'Color' });
  const radios = within(colorGroup).getAllByRole<HTMLInputElement>('radio');
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

it('adds a task without a date unless it is shown in the calendar', async () => {
  const { router, sent } = await openTaskDialog('/todo?add=true');
  typeInto('Title', 'Buy sealant');
  await click(screen.getByLabelText('Teal'));
  await pressButton('Add Task');
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

it('adds a task to the calendar of a staff member at a time in the displayed time zone', async () => {
  const { sent } = await openTaskDialog('/todo?add=true');
  typeInto('Title', 'Buy sealant');
  await click(screen.getByLabelText('Show in calendar'));
  typeInto('Date', '2026-04-06');
  typeInto(/^Time/, '09:15');
  typeInto(/^Duration/, '0.5');
  typeInto(/^Staff member/, MIA.id);
  await pressButton('Add Task');
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

it('requires a title, and for the calendar a date, a time and a duration in half hours', async () => {
  const { sent } = await openTaskDialog('/todo?add=true');
  typeInto('Title', '   ');
  await click(screen.getByLabelText('Show in calendar'));
  typeInto('Date', '');
  typeInto(/^Time/, '');
  typeInto(/^Duration/, '0.25');
  await pressButton('Add Task');
  await screen.findByText('Title is required');
  screen.getByText('Date is required');
  screen.getByText('Time is required');
  screen.getByText('Duration must be at least 0.5 hours, in steps of 0.5');
  await waitForFocus('Title');
  expect(sent).toEqual([]);
});

it('keeps the entered text when adding a task fails', async () => {
  await openTaskDialog('/todo?add=true', { 'POST /tasks': () => failWith('FORBIDDEN', 'No') });
  typeInto('Title', 'Buy sealant');
  await pressButton('Add Task');
  await waitForToasts('Failed to add task: No');
  expect(getValue('Title')).toBe('Buy sealant');
});

it('saves an edited task without changing untouched fields', async () => {
  const storedTask: Task = { ...TASK, calendar_date: '2026-04-05T20:00:30.000Z', calendar_duration: '1.25' };
  const { sent, router } = await openTaskDialog(`/todo?task=${TASK.id}`, {
    'GET /tasks/{id}': () => storedTask,
    [buildTaskListCall('active')]: () => buildTaskPage(storedTask),
  });
  expect([getValue('Title'), getValue('Date'), getValue(/^Time/), getValue(/^Duration/)]).toEqual([
    'Order parts',
    '2026-04-06',
    '08:00',
    '1.25',
  ]);
  typeInto('Title', 'Order more parts');
  await pressButton('Save Changes');
  await waitForToasts('Task updated successfully');
  expect(sent).toEqual([
    expect.objectContaining({
      version: 1,
      title: 'Order more parts',
      calendar_date: storedTask.calendar_date,
      calendar_duration: '1.25',
      staff_id: SAM.id,
    }),
  ]);
  await waitFor(() => expect(router.state.location.href).toBe('/todo'));
});

it('keeps the dialog and the entered text when saving a task fails', async () => {
  await openTaskDialog(`/todo?task=${TASK.id}`, { 'PUT /tasks/{id}': () => failWith('FORBIDDEN', 'No') });
  typeInto('Title', 'Order more parts');
  await pressButton('Save Changes');
  await waitForToasts('Failed to update task: No');
  expect(getValue('Title')).toBe('Order more parts');
});

it('shows both versions when someone else saved the task first', async () => {
  const theirVersion = { ...TASK, title: 'Order all parts', version: 2 };
  await openTaskDialog(`/todo?task=${TASK.id}`, {
    'PUT /tasks/{id}': () => failWith('STALE_VERSION', 'Someone else has changed this.', { current: theirVersion }),
  });
  typeInto('Title', 'Order more parts');
  await pressButton('Save Changes');
  const conflict = await screen.findByRole('alert');
  expect(conflict.textContent).toContain('Theirs: Order all parts');
  expect(conflict.textContent).toContain('Yours: Order more parts');
  expect(getValue('Title')).toBe('Order more parts');
});

it('closes the dialog with a message if the task does not exist', async () => {
  const { router } = openTodoPage(`/todo?task=${COMPLETED_TASK.id}`, { 'GET /tasks/{id}': () => failWith('NOT_FOUND', 'Task not found') });
  await waitFor(() => expect(router.state.location.href).toBe('/todo'));
  await waitForToasts('Task not found. It may have been deleted.');
});

it('opens the Add Task dialog when N is pressed', async () => {
  const { router } = openTodoPage('/todo');
  await findActiveTasks();
  fireEvent.keyDown(document.body, { key: 'n' });
  await screen.findByRole('dialog', { name: 'Add Task' });
  expect(router.state.location.href).toBe('/todo?add=true');
});
