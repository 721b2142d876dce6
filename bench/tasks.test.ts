import { expect, it } from 'vitest';
import { generateTasks } from './tasks.ts';

it('generates the same tasks for the same seed and different ones for another seed', () => {
  expect(generateTasks(1, 100)).toEqual(generateTasks(1, 100));
  expect(generateTasks(1, 1)).not.toEqual(generateTasks(2, 1));
});

it('generates tasks with unique ids and shows half of them in the calendar', () => {
  const tasks = generateTasks(1, 1000);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
  expect(tasks.filter(({ show_in_calendar, calendar_date }) => show_in_calendar && calendar_date !== null)).toHaveLength(500);
  expect(tasks.filter(({ status, completed_at }) => (status === 'completed') === (completed_at !== null))).toHaveLength(1000);
});
