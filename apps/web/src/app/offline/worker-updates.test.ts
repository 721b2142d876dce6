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

let reload: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
});
afterEach(() => {
  useOfflineState.setState(useOfflineState.getInitialState(), true);
  reload.mockRestore();
});

test('a new version is offered, and nothing happens until somebody wants it', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  expect(isOffered()).toBe(false);
  const newer = workers.install();
  expect(isOffered()).toBe(true);
  expect([newer.heard, reload.mock.calls]).toEqual([[], []]);
});

test('Reload lets it take over first', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  const newer = workers.install();
  accept();
  expect([newer.heard, reload.mock.calls.length]).toEqual([[TAKE_OVER], 0]);
  workers.dispatchEvent(new Event('controllerchange'));
  await waitFor(() => expect(reload.mock.calls).toHaveLength(1));
});

test('Reload only reloads where another tab has let it take over', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  const newer = workers.install();
  workers.waiting = null;
  accept();
  expect([newer.heard, reload.mock.calls.length]).toEqual([[], 1]);
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
