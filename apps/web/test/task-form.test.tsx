import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseTimeZone } from '../src/lib/time-zone.ts';
import { press, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { openTaskDialog } from './open-todo.ts';
import { TASK } from './people.ts';

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
