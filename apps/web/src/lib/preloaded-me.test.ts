import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPreloadedMe } from './preloaded-me.ts';

const ME_RESPONSE = JSON.stringify({ status: 200, body: { user: 'in the page' } });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  document.head.insertAdjacentHTML('beforeend', `<script type="application/json" id="me">${ME_RESPONSE}</script>`);
});
afterEach(() => {
  vi.useRealTimers();
  document.getElementById('me')?.remove();
});

test('returns the response embedded in the page, but only once', async () => {
  const { take, isAvailable } = createPreloadedMe();
  expect(document.getElementById('me')).toBeNull();
  expect(isAvailable()).toBe(true);
  const response = take();
  expect([response?.status, await response?.json()]).toEqual([200, { user: 'in the page' }]);
  expect([isAvailable(), take()]).toEqual([false, undefined]);
});

test('returns undefined once the embedded response is too old', () => {
  const { take, isAvailable } = createPreloadedMe();
  vi.setSystemTime(Date.now() + 6_000);
  expect([isAvailable(), take()]).toEqual([false, undefined]);
});

test('returns undefined if the page has no embedded response', () => {
  document.getElementById('me')?.remove();
  expect(createPreloadedMe().take()).toBeUndefined();
});
