import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setMyTimeZone } from '../src/lib/time-zone.ts';
import { MIA, SAM, TASK } from './fixtures.ts';
import { getToasts, getValue, pressButton, typeInto, waitForToasts } from './open-page.tsx';
import { openTaskDialog } from './open-todo.ts';

it.each([
  ['an untouched time', () => typeInto('Title', 'Order more parts'), TASK.calendar_date],
  ['an entered time', () => typeInto(/^Time/, '10:00'), '2026-04-05T22:00:00.000Z'],
])('keeps %s in its original time zone when the time zone changes while the form is open', async (_, editField, instant) => {
  const { sent } = await openTaskDialog(`/todo?task=${TASK.id}`);
  expect(getValue(/^Time/)).toBe('08:00');
  act(() => setMyTimeZone('Asia/Tokyo'));
  editField();
  await pressButton('Save Changes');
  await waitForToasts('Task updated successfully');
  expect(sent).toEqual([expect.objectContaining({ calendar_date: instant })]);
});

/** A job that a colleague booked while the form was open. */
const JOB_CLASH = {
  kind: 'job',
  id: 'other',
  job_number: 'J26040001',
  title: 'Roof repair',
  staff_name: 'Mia Tane',
  starts_at: '2026-04-05T21:00:00.000Z',
  ends_at: '2026-04-05T23:00:00.000Z',
  overlap_minutes: 30,
};
const CLASH_MESSAGE = 'Mia Tane is already booked for Roof repair (#J26040001), 9:00 – 11:00 AM (30 min overlap).';
const buildClashesCall = (start: string, hours: string, staff: string, id: string) =>
  `GET /calendar/clashes?staff_id=${staff}&starts_at=${encodeURIComponent(start)}&duration=${hours}&except_id=${id}`;

it('warns after saving a new task that clashes with a recent booking', async () => {
  await openTaskDialog('/todo?add=true', {
    'GET /calendar/clashes?*': () => ({ clashes: [JOB_CLASH] }),
    'POST /tasks': (input) => ({ ...TASK, ...(input as object) }),
  });
  typeInto('Title', 'Buy sealant');
  await act(async () => fireEvent.click(screen.getByLabelText('Show in calendar')));
  typeInto('Date', '2026-04-06');
  typeInto(/^Staff member/, MIA.id);
  await pressButton('Add Task');
  await waitForToasts(CLASH_MESSAGE, 'Task added successfully');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('checks an existing task for clashes only if its booking has changed', async () => {
  const checkedStaff: string[] = [];
  const respond = (staffName: string) => () => {
    checkedStaff.push(staffName);
    return { clashes: [JOB_CLASH] };
  };
  const start = TASK.calendar_date ?? '';
  const { router } = await openTaskDialog(`/todo?task=${TASK.id}`, {
    [buildClashesCall(start, '1.5', SAM.id, TASK.id)]: respond('Sam'),
    [buildClashesCall(start, '1.5', MIA.id, TASK.id)]: respond('Mia'),
  });
  typeInto('Title', 'Order more parts');
  await pressButton('Save Changes');
  await waitForToasts('Task updated successfully');
  await act(() => router.navigate({ to: '/todo', search: { task: TASK.id } }));
  await screen.findByLabelText('Title');
  typeInto(/^Staff member/, MIA.id);
  await pressButton('Save Changes');
  await screen.findByText(CLASH_MESSAGE);
  expect(checkedStaff).toEqual(['Mia']);
  await waitFor(() => expect(getToasts()).toContain(CLASH_MESSAGE));
});

it.each([
  ['Ctrl+S', { key: 's', ctrlKey: true }],
  ['Cmd+Enter', { key: 'Enter', metaKey: true }],
])('%s saves the task from inside the dialog', async (_, key) => {
  const { sent } = await openTaskDialog('/todo?add=true');
  typeInto('Title', 'Buy sealant');
  await act(async () => fireEvent.keyDown(screen.getByLabelText('Title'), key));
  await waitForToasts('Task added successfully');
  expect(sent).toMatchObject([{ title: 'Buy sealant' }]);
});
