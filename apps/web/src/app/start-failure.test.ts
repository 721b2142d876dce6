import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SKIP_WAITING_MESSAGE } from './offline/service-worker-messages.ts';

const MESSAGE = "Callout couldn't be loaded. Check your connection and reload.";
const script = readFileSync(join(import.meta.dirname, '../../public/start.js'), 'utf8');

let reloads = 0;
beforeEach(() => {
  reloads = 0;
  vi.useFakeTimers();
  vi.spyOn(window.location, 'reload').mockImplementation(() => {
    reloads += 1;
  });
  document.title = 'Callout';
  document.body.innerHTML = '<div id="app"><p>Loading...</p></div><script type="module"></script>';
  // The file is a classic script, so it cannot be imported as a module.
  runInThisContext(script);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  delete document.documentElement.dataset['started'];
  document.body.innerHTML = '';
});

const getDisplayedText = () => document.getElementById('app')?.textContent;
const finishLoading = () => window.dispatchEvent(new Event('load'));
const failScript = () => document.querySelector('script')?.dispatchEvent(new Event('error'));
const clickReload = () => document.querySelector('button')?.click();

test('immediately reports a script that fails to load', () => {
  failScript();
  expect(getDisplayedText()).toBe(`${MESSAGE}Reload`);
});

test('waits for slow scripts before reporting that the application does not start', () => {
  vi.advanceTimersByTime(60_000);
  expect(getDisplayedText()).toBe('Loading...');
  finishLoading();
  vi.advanceTimersByTime(14_000);
  expect(getDisplayedText()).toBe('Loading...');
  vi.advanceTimersByTime(1_000);
  expect(getDisplayedText()).toContain(MESSAGE);
});

test('reports nothing once the application has started', () => {
  document.documentElement.dataset['started'] = 'true';
  finishLoading();
  vi.advanceTimersByTime(60_000);
  failScript();
  expect(getDisplayedText()).toBe('Loading...');
});

test('Reload reloads the page if there is no service worker', async () => {
  failScript();
  clickReload();
  await vi.advanceTimersByTimeAsync(0);
  expect(reloads).toBe(1);
});

test('Reload activates a newer build before reloading the page', async () => {
  const messages: unknown[] = [];
  const waiting = { postMessage: (message: unknown) => messages.push(message) };
  const workers = Object.assign(new EventTarget(), {
    getRegistration: async () => ({ waiting, installing: null, update: () => Promise.reject(new TypeError('offline')) }),
  });
  vi.stubGlobal('navigator', { serviceWorker: workers });
  failScript();
  clickReload();
  await vi.advanceTimersByTimeAsync(0);
  expect([messages, reloads]).toEqual([[SKIP_WAITING_MESSAGE], 0]);
  workers.dispatchEvent(new Event('controllerchange'));
  expect(reloads).toBe(1);
});
