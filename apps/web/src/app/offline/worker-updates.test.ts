import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useOfflineState } from './offline-state.ts';
import { TAKE_OVER } from './worker-messages.ts';
import { offerUpdates } from './worker-updates.ts';

const isOffered = () => useOfflineState.getState().openNewVersion !== undefined;
const accept = () => useOfflineState.getState().openNewVersion?.();

/** A build on its way into the browser. */
class PlayedWorker extends EventTarget {
  state = 'installing';
  readonly heard: unknown[] = [];
  change(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
  postMessage(message: unknown): void {
    this.heard.push(message);
  }
}

/** What a browser has of a site's workers. */
class PlayedWorkers extends EventTarget {
  waiting: PlayedWorker | null = null;
  installing: PlayedWorker | null = null;
  controller: PlayedWorker | null = new PlayedWorker();
  /** A new build is found, and installed. */
  install(): PlayedWorker {
    const worker = new PlayedWorker();
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
    this.installing = null;
    this.waiting = worker;
    worker.change('installed');
    return worker;
  }
}

const watch = (workers: PlayedWorkers) => offerUpdates(workers, workers);

let reloads = 0;
beforeEach(() => {
  reloads = 0;
  vi.spyOn(window.location, 'reload').mockImplementation(() => {
    reloads += 1;
  });
});
afterEach(() => {
  useOfflineState.setState(useOfflineState.getInitialState(), true);
  vi.restoreAllMocks();
});

test('a new version is offered, and nothing happens until somebody wants it', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  expect(isOffered()).toBe(false);
  const newer = workers.install();
  expect(isOffered()).toBe(true);
  expect([newer.heard, reloads]).toEqual([[], 0]);
});

test('Reload lets it take over first', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  const newer = workers.install();
  accept();
  expect([newer.heard, reloads]).toEqual([[TAKE_OVER], 0]);
  workers.dispatchEvent(new Event('controllerchange'));
  await waitFor(() => expect(reloads).toBe(1));
});

test('Reload only reloads where another tab has let it take over', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  const newer = workers.install();
  workers.waiting = null;
  accept();
  expect([newer.heard, reloads]).toEqual([[], 1]);
});

test('one that waits since the last visit is offered at once', () => {
  const workers = new PlayedWorkers();
  workers.waiting = new PlayedWorker();
  workers.waiting.state = 'installed';
  watch(workers);
  expect(isOffered()).toBe(true);
});

test('the first one is no new version', async () => {
  const workers = new PlayedWorkers();
  workers.controller = null;
  watch(workers);
  workers.install();
  expect(isOffered()).toBe(false);
});
