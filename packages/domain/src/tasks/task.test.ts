import { expect, it } from 'vitest';
import { TASK_COLOR_LABELS, TASK_COLORS, TASK_STATUSES } from './task.ts';

it('keeps the values that the database and saved requests contain', () => {
  expect(TASK_STATUSES).toEqual(['active', 'completed']);
  expect(TASK_COLORS).toEqual(['yellow', 'blue', 'purple', 'green', 'red', 'pink', 'indigo', 'teal']);
});

it('labels each color with its name', () => {
  expect(TASK_COLORS.map((color) => TASK_COLOR_LABELS[color].toLowerCase())).toEqual(TASK_COLORS);
});
