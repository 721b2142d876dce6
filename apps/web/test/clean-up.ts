import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { forgetEndedPerson } from '../src/lib/request-person.ts';
import { clearTimeZones } from '../src/lib/time-zone.ts';

/** Undone after the test, in this order. */
export const closing: (() => void)[] = [];

/** Calls that the test has no answer to. */
export const unanswered: string[] = [];

/** Each file begins with an empty window, and each test ends with its page closed and every call answered. */
export function registerCleanUp(): void {
  // A page loads its parts as it needs them, which takes a while on a busy machine.
  configure({ asyncUtilTimeout: 10_000 });
  vi.setConfig({ testTimeout: 30_000 });
  emptyWindow();
  afterEach(() => {
    cleanup();
    for (const close of closing.splice(0)) close();
    sessionStorage.clear();
    localStorage.clear();
    clearTimeZones();
    forgetEndedPerson();
    vi.unstubAllGlobals();
    const calls = unanswered.splice(0);
    if (calls.length > 0) throw new Error(`The test has no answer to ${[...new Set(calls)].join(', ')}`);
  });
}

function emptyWindow(): void {
  vi.useRealTimers();
  localStorage.clear();
  document.body.replaceChildren();
  document.title = '';
  window.happyDOM.setViewport({ width: 1024, height: 768 });
  window.history.replaceState(null, '', '/');
}
