import { expect, test } from 'vitest';
import { formatGreeting } from './greeting.ts';

test.each([
  [0, 'Mia Tane', 'Good morning, Mia'],
  [11, 'Mia', 'Good morning, Mia'],
  [12, '', 'Good afternoon'],
  [18, 'owner', 'Good evening'],
  [23, 'owner@tane.example', 'Good evening'],
])('at hour %i, greets "%s" with "%s"', (hour, name, text) => {
  expect(formatGreeting(hour, { name, email: 'owner@tane.example' })).toBe(text);
});
