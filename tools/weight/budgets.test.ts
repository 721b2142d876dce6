import { expect, test } from 'vitest';
import { formatWeightTable, isOverBudget, type PageWeight } from './budgets.ts';

const KB = 1024;
const page: PageWeight = { path: '/customers', maxKb: 185, maxRequests: 24, bytes: 185 * KB, requests: 24 };

test('a page that reaches its budget exactly is within budget', () => {
  expect(isOverBudget(page)).toBe(false);
});

test.each([
  ['too much script', { ...page, bytes: 185 * KB + 1 }],
  ['too many requests', { ...page, requests: 25 }],
])('a page with %s is over budget', (_, heavy) => {
  expect(isOverBudget(heavy)).toBe(true);
  expect(
    formatWeightTable([page, heavy])
      .split('\n')
      .slice(1)
      .map((row) => row.includes('OVER')),
  ).toEqual([false, true]);
});
