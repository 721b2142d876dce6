import { expect, test } from 'vitest';
import { greeting } from './greeting.ts';

test.each([
  [0, 'Mia Tane', 'Good morning, Mia'],
  [11, 'Mia', 'Good morning, Mia'],
  [12, '', 'Good afternoon'],
  [18, 'mia@tane.example', 'Good evening'],
])('at %i o’clock %s reads "%s"', (hour, name, words) => {
  expect(greeting(hour, name)).toBe(words);
});
