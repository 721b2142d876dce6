import { expect, it } from 'vitest';
import { formatNames } from './name-list.ts';

it.each([
  [['Sam'], 'Sam'],
  [['Sam', 'Nina'], 'Sam and Nina'],
  [['Sam', 'Nina', 'Josh', 'Mia'], 'Sam, Nina, Josh and Mia'],
  [['Sam', 'Nina', 'Josh', 'Mia', 'Ana'], 'Sam, Nina, Josh and 2 others'],
])('formats the names %s as %s', (names, text) => {
  expect(formatNames(names)).toBe(text);
});
