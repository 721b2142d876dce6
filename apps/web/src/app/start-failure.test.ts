import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TAKE_OVER } from './offline/worker-messages.ts';

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
  // The file is a plain script, which runs before any module.
  runInThisContext(script);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  delete document.documentElement.dataset['started'];
  document.body.innerHTML = '';
});

const shown = () => document.getElementById('app')?.textContent;
const loaded = () => window.dispatchEvent(new Event('load'));
const fails = () => document.querySelector('script')?.dispatchEvent(new Event('error'));
const reload = () => document.querySelector('button')?.click();

test('a script that cannot be loaded is said at once', () => {
  fails();
  expect(shown()).toBe(`${MESSAGE}Reload`);
});

test('scripts that are slow to arrive are waited for; one that does not start the application is said', () => {
  vi.advanceTimersByTime(60_000);
  expect(shown()).toBe('Loading...');
  loaded();
  vi.advanceTimersByTime(14_000);
  expect(shown()).toBe('Loading...');
  vi.advanceTimersByTime(1_000);
  expect(shown()).toContain(MESSAGE);
});

test('an application that has started says itself what is wrong', () => {
  document.documentElement.dataset['started'] = 'true';
  loaded();
  vi.advanceTimersByTime(60_000);
  fails();
  expect(shown()).toBe('Loading...');
});

test('Reload reloads where nothing is kept', async () => {
  fails();
  reload();
  await vi.advanceTimersByTimeAsync(0);
  expect(reloads).toBe(1);
});

test('Reload lets a newer build take over first', async () => {
  const heard: unknown[] = [];
  const waiting = { postMessage: (message: unknown) => heard.push(message) };
  const workers = Object.assign(new EventTarget(), {
    getRegistration: async () => ({ waiting, installing: null, update: () => Promise.reject(new TypeError('offline')) }),
  });
  vi.stubGlobal('navigator', { serviceWorker: workers });
  fails();
  reload();
  await vi.advanceTimersByTimeAsync(0);
  expect([heard, reloads]).toEqual([[TAKE_OVER], 0]);
  workers.dispatchEvent(new Event('controllerchange'));
  expect(reloads).toBe(1);
});
