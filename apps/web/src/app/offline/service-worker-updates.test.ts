import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useOfflineState } from '../../lib/offline-state.ts';
import { SKIP_WAITING_MESSAGE } from './service-worker-messages.ts';
import { offerUpdates } from './service-worker-updates.ts';

const isOffered = () => useOfflineState.getState().openNewVersion !== undefined;
const openNewVersion = () => useOfflineState.getState().openNewVersion?.();

class FakeServiceWorker extends EventTarget {
  state = 'installing';
  readonly messages: unknown[] = [];
  setState(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
  postMessage(message: unknown): void {
    this.messages.push(message);
  }
}

/** Fake service worker registration that also acts as the page's service worker container. */
class FakeServiceWorkers extends EventTarget {
  waiting: FakeServiceWorker | null = null;
  installing: FakeServiceWorker | null = null;
  controller: FakeServiceWorker | null = new FakeServiceWorker();
  installNewBuild(): FakeServiceWorker {
    const worker = new FakeServiceWorker();
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
    this.installing = null;
    this.waiting = worker;
    worker.setState('installed');
    return worker;
  }
}

const startWatching = (workers: FakeServiceWorkers) => offerUpdates(workers, workers);

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

test('offers a new version and leaves it waiting until the user accepts', async () => {
  const workers = new FakeServiceWorkers();
  startWatching(workers);
  expect(isOffered()).toBe(false);
  const newer = workers.installNewBuild();
  expect(isOffered()).toBe(true);
  expect([newer.messages, reloads]).toEqual([[], 0]);
});

test('Reload activates the new version before reloading the page', async () => {
  const workers = new FakeServiceWorkers();
  startWatching(workers);
  const newer = workers.installNewBuild();
  openNewVersion();
  expect([newer.messages, reloads]).toEqual([[SKIP_WAITING_MESSAGE], 0]);
  workers.dispatchEvent(new Event('controllerchange'));
  await waitFor(() => expect(reloads).toBe(1));
});

test('Reload reloads the page immediately if another tab has already activated the new version', async () => {
  const workers = new FakeServiceWorkers();
  startWatching(workers);
  const newer = workers.installNewBuild();
  workers.waiting = null;
  openNewVersion();
  expect([newer.messages, reloads]).toEqual([[], 1]);
});

test('offers a version that has been waiting since the last visit', () => {
  const workers = new FakeServiceWorkers();
  workers.waiting = new FakeServiceWorker();
  workers.waiting.state = 'installed';
  startWatching(workers);
  expect(isOffered()).toBe(true);
});

test('does not offer the first install as a new version', async () => {
  const workers = new FakeServiceWorkers();
  workers.controller = null;
  startWatching(workers);
  workers.installNewBuild();
  expect(isOffered()).toBe(false);
});
