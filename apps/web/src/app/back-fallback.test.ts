import { expect, test } from 'vitest';
import { backFallback, hasBack } from './back-fallback.ts';

test.each(['/', '/dashboard', '/jobs', '/customers', '/customers/'])('there is no Back on %s', (path) => {
  expect(hasBack(path)).toBe(false);
});

test.each(['/quotes', '/jobs/new', '/customers/new', '/settings'])('there is a Back on %s', (path) => {
  expect(hasBack(path)).toBe(true);
});

test.each([
  ['/jobs/7', '/jobs'],
  ['/jobs/new', '/jobs'],
  ['/jobs/7/edit', '/jobs/7'],
  ['/jobs/7/payment', '/jobs/7'],
  ['/jobs/7/items/add', '/jobs/7'],
  ['/quotes/7', '/quotes'],
  ['/quotes/7/edit', '/quotes/7'],
  ['/customers/7', '/customers'],
  ['/customers/new/', '/customers'],
  ['/items-services/suppliers', '/items-services'],
  ['/items-services/suppliers/7', '/items-services/suppliers'],
  ['/invoices', '/jobs'],
  ['/invoices/debtors', '/invoices'],
  ['/staff/7', '/staff'],
  ['/board', '/dashboard'],
  ['/settings', '/dashboard'],
])('without a history Back leads from %s to %s', (path, up) => {
  expect(backFallback(path)).toBe(up);
});
