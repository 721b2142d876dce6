import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseTimeZone } from '../src/lib/time-zone.ts';
import { press, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { openTaskDialog } from './open-todo.ts';
import { MIA, SAM, TASK } from './people.ts';

it.each([
  ['what was not touched', () => typeInto('Title', 'Order more parts'), TASK.calendar_date],
  ['what was typed', () => typeInto(/^Time/, '10:00'), '2026-04-05T22:00:00.000Z'],
])('another time zone that is chosen while the form is open leaves %s where it was', async (_, type, instant) => {
  const { sent } = await openTaskDialog(`/todo?task=${TASK.id}`);
  expect(valueOf(/^Time/)).toBe('08:00');
  act(() => chooseTimeZone('Asia/Tokyo'));
  type();
  await press('Save Changes');
  await waitForToasts('Task updated successfully');
  expect(sent).toEqual([expect.objectContaining({ calendar_date: instant })]);
});

/** Made by a colleague while the form was open. */
const CLASH = {
  kind: 'job',
  id: 'other',
  job_number: 'J26040001',
  title: 'Roof repair',
  staff_name: 'Mia Tane',
  starts_at: '2026-04-05T21:00:00.000Z',
  ends_at: '2026-04-05T23:00:00.000Z',
  overlap_minutes: 30,
};
const TOLD = 'Mia Tane is already booked for Roof repair (#J26040001), 9:00 – 11:00 AM (30 min overlap).';
const clashesAt = (start: string, hours: string, staff: string, id: string) =>
  `GET /calendar/clashes?staff_id=${staff}&starts_at=${encodeURIComponent(start)}&duration=${hours}&except_id=${id}`;

it('a new task that clashes with what was booked meanwhile says so once it is saved', async () => {
  await openTaskDialog('/todo?add=true', {
    'GET /calendar/clashes?*': () => ({ clashes: [CLASH] }),
    'POST /tasks': (input) => ({ ...TASK, ...(input as object) }),
  });
  typeInto('Title', 'Buy sealant');
  await act(async () => fireEvent.click(screen.getByLabelText('Show in calendar')));
  typeInto('Date', '2026-04-06');
  typeInto(/^Staff member/, MIA.id);
  await press('Add Task');
  await waitForToasts(TOLD, 'Task added successfully');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('so does a stored one that is given to somebody else, and not one whose booking stays', async () => {
  const asked: string[] = [];
  const answer = (who: string) => () => {
    asked.push(who);
    return { clashes: [CLASH] };
  };
  const start = TASK.calendar_date ?? '';
  const { router } = await openTaskDialog(`/todo?task=${TASK.id}`, {
    [clashesAt(start, '1.5', SAM.id, TASK.id)]: answer('Sam'),
    [clashesAt(start, '1.5', MIA.id, TASK.id)]: answer('Mia'),
  });
  typeInto('Title', 'Order more parts');
  await press('Save Changes');
  await waitForToasts('Task updated successfully');
  await act(() => router.navigate({ to: '/todo', search: { task: TASK.id } }));
  await screen.findByLabelText('Title');
  typeInto(/^Staff member/, MIA.id);
  await press('Save Changes');
  await screen.findByText(TOLD);
  expect(asked).toEqual(['Mia']);
  expect(toastTexts()).toContain(TOLD);
});

it.each([
  ['S', { key: 's', ctrlKey: true }],
  ['Enter', { key: 'Enter', metaKey: true }],
])('%s with Ctrl or Cmd saves from inside the dialog', async (_, key) => {
  const { sent } = await openTaskDialog('/todo?add=true');
  typeInto('Title', 'Buy sealant');
  await act(async () => fireEvent.keyDown(screen.getByLabelText('Title'), key));
  await waitForToasts('Task added successfully');
  expect(sent).toMatchObject([{ title: 'Buy sealant' }]);
});
