import { expect, test } from 'vitest';
import { getBackFallbackPath, hasBackButton } from './back-fallback.ts';

test.each(['/', '/dashboard', '/jobs', '/customers', '/customers/'])('hides the Back button on %s', (path) => {
  expect(hasBackButton(path)).toBe(false);
});

test.each(['/quotes', '/jobs/new', '/customers/new', '/settings'])('shows the Back button on %s', (path) => {
  expect(hasBackButton(path)).toBe(true);
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
])('Back leads from %s to %s in a tab without history', (path, fallback) => {
  expect(getBackFallbackPath(path)).toBe(fallback);
});
