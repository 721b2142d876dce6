import { expect, test } from 'vitest';
import { withNewOrder } from './menu-order.tsx';

test('what a role does not see keeps its position', () => {
  const all = ['dashboard', 'jobs', 'staff', 'settings'];
  expect(withNewOrder(all, ['settings', 'dashboard', 'jobs'])).toEqual(['settings', 'dashboard', 'staff', 'jobs']);
});

test('somebody who sees everything orders everything', () => {
  expect(withNewOrder(['a', 'b', 'c'], ['c', 'b', 'a'])).toEqual(['c', 'b', 'a']);
});
