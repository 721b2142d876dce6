import { expect, test } from 'vitest';
import { formatToday, greeting } from './dashboard-page.tsx';

test.each([
  [0, 'Mia Tane', 'Good morning, Mia'],
  [11, 'Mia', 'Good morning, Mia'],
  [12, '', 'Good afternoon'],
  [18, 'owner', 'Good evening'],
  [23, 'owner@tane.example', 'Good evening'],
])('at %i the page greets "%s" with "%s"', (hour, name, words) => {
  expect(greeting(hour, { name, email: 'owner@tane.example' })).toBe(words);
});

test('the day is written out', () => {
  expect(formatToday(new Date(2026, 10, 15, 9))).toBe('Sunday, November 15');
});
