import { afterEach, expect, test } from 'vitest';
import { forgetKept, keptBy, markKept } from './kept-mark.ts';

afterEach(() => localStorage.clear());

test('what is kept is marked with its person', () => {
  expect(keptBy()).toBeUndefined();
  markKept('mia');
  expect(keptBy()).toBe('mia');
});

test('at the end of a session nothing counts as kept, at once and also where it cannot be deleted', async () => {
  markKept('mia');
  // This environment has no database to delete it from.
  const forgotten = forgetKept();
  expect(keptBy()).toBeUndefined();
  await forgotten;
  expect([keptBy(), Object.keys(localStorage)]).toEqual([undefined, ['callout-kept-by']]);
});

test('nothing is loaded to forget what was never kept', async () => {
  await forgetKept();
  expect(Object.keys(localStorage)).toEqual([]);
});
