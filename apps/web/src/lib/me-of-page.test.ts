import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readMeOfPage } from './me-of-page.ts';

const ANSWER = JSON.stringify({ status: 200, body: { user: 'in the page' } });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  document.head.insertAdjacentHTML('beforeend', `<script type="application/json" id="me">${ANSWER}</script>`);
});
afterEach(() => {
  vi.useRealTimers();
  document.getElementById('me')?.remove();
});

test('who is signed in is taken from the page, once', async () => {
  const takeMe = readMeOfPage();
  expect(document.getElementById('me')).toBeNull();
  const response = takeMe();
  expect([response?.status, await response?.json()]).toEqual([200, { user: 'in the page' }]);
  expect(takeMe()).toBeUndefined();
});

test('who was signed in when the page came is not told to a page that asks late', () => {
  const takeMe = readMeOfPage();
  vi.setSystemTime(Date.now() + 6_000);
  expect(takeMe()).toBeUndefined();
});

test('a page that says nothing about it leaves the question to the server', () => {
  document.getElementById('me')?.remove();
  expect(readMeOfPage()()).toBeUndefined();
});
