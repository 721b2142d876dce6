import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { clearEndedPerson } from '../src/lib/request-identity.ts';
import { clearTimeZones } from '../src/lib/time-zone.ts';

/** Callbacks to run after the current test, in array order. */
export const cleanupCallbacks: (() => void)[] = [];

/** Calls that the current test made without providing a mock response. */
export const unmockedCalls: string[] = [];

/** Resets the window for the test file. After each test, closes the page and fails the test if a call had no mock response. */
export function registerCleanupHook(): void {
  // Allow more time, because pages load their chunks lazily, which is slow on a busy machine.
  configure({ asyncUtilTimeout: 10_000 });
  vi.setConfig({ testTimeout: 30_000 });
  resetWindow();
  afterEach(() => {
    cleanup();
    for (const runCallback of cleanupCallbacks.splice(0)) runCallback();
    sessionStorage.clear();
    localStorage.clear();
    clearTimeZones();
    clearEndedPerson();
    vi.unstubAllGlobals();
    const calls = unmockedCalls.splice(0);
    if (calls.length > 0) throw new Error(`The test has no mock response for ${[...new Set(calls)].join(', ')}`);
  });
}

function resetWindow(): void {
  vi.useRealTimers();
  localStorage.clear();
  document.body.replaceChildren();
  document.title = '';
  window.happyDOM.setViewport({ width: 1024, height: 768 });
  window.history.replaceState(null, '', '/');
}
