import { expect, test } from 'vitest';
import { reorderVisibleItems } from './menu-order-settings.tsx';

test('keeps the positions of menu items that the role cannot see', () => {
  const allIds = ['dashboard', 'jobs', 'staff', 'settings'];
  expect(reorderVisibleItems(allIds, ['settings', 'dashboard', 'jobs'])).toEqual(['settings', 'dashboard', 'staff', 'jobs']);
});

test('reorders all menu items for a role that sees all of them', () => {
  expect(reorderVisibleItems(['a', 'b', 'c'], ['c', 'b', 'a'])).toEqual(['c', 'b', 'a']);
});
