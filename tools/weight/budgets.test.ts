import { expect, test } from 'vitest';
import { formatWeightTable, isOverBudget, type PageWeight } from './budgets.ts';

const KB = 1024;
const page: PageWeight = { path: '/customers', maxKb: 185, maxRequests: 24, bytes: 185 * KB, requests: 24 };

test('allows a page to reach its budget exactly', () => {
  expect(isOverBudget(page)).toBe(false);
});

test.each([
  ['too much script', { ...page, bytes: 185 * KB + 1 }],
  ['too many requests', { ...page, requests: 25 }],
])('flags a page with %s as over budget', (_, heavy) => {
  expect(isOverBudget(heavy)).toBe(true);
  expect(
    formatWeightTable([page, heavy])
      .split('\n')
      .slice(1)
      .map((row) => row.includes('OVER')),
  ).toEqual([false, true]);
});
