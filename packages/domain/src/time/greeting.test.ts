import { expect, test } from 'vitest';
import { greeting } from './greeting.ts';

test.each([
  [0, 'Mia Tane', 'Good morning, Mia'],
  [11, 'Mia', 'Good morning, Mia'],
  [12, '', 'Good afternoon'],
  [18, 'owner', 'Good evening'],
  [23, 'owner@tane.example', 'Good evening'],
])('at %i the page greets "%s" with "%s"', (hour, name, words) => {
  expect(greeting(hour, { name, email: 'owner@tane.example' })).toBe(words);
});
