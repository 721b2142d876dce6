import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from '../../ui/toast.ts';
import { Toasts } from '../../ui/toasts.tsx';
import { TAKE_OVER } from './worker-messages.ts';
import { offerUpdates } from './worker-updates.ts';

const OFFER = 'A new version is ready.';

/** A build on its way into the browser. */
class PlayedWorker extends EventTarget {
  state = 'installing';
  readonly heard: unknown[] = [];
  onMessage: () => void = () => undefined;
  change(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
  postMessage(message: unknown): void {
    this.heard.push(message);
    this.onMessage();
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

const watch = (workers: PlayedWorkers) => act(() => offerUpdates(workers, workers));

let reload: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  render(<Toasts />);
});
afterEach(() => {
  act(() => toast.dismiss('new-version'));
  cleanup();
  reload.mockRestore();
});

test('a new version is offered, and nothing happens until somebody wants it', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  expect(screen.queryByText(OFFER)).toBeNull();
  const newer = await act(async () => workers.install());
  expect(screen.getByText(OFFER)).toBeDefined();
  expect([newer.heard, reload.mock.calls]).toEqual([[], []]);
});

test('Reload lets it take over first', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  const newer = await act(async () => workers.install());
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Reload' })));
  expect([newer.heard, reload.mock.calls.length]).toEqual([[TAKE_OVER], 0]);
  act(() => void workers.dispatchEvent(new Event('controllerchange')));
  await waitFor(() => expect(reload.mock.calls).toHaveLength(1));
});

test('Reload only reloads where another tab has let it take over', async () => {
  const workers = new PlayedWorkers();
  watch(workers);
  const newer = await act(async () => workers.install());
  workers.waiting = null;
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Reload' })));
  expect([newer.heard, reload.mock.calls.length]).toEqual([[], 1]);
});

test('one that waits since the last visit is offered at once', () => {
  const workers = new PlayedWorkers();
  workers.waiting = new PlayedWorker();
  workers.waiting.state = 'installed';
  watch(workers);
  expect(screen.getByText(OFFER)).toBeDefined();
});

test('the first one is no new version', async () => {
  const workers = new PlayedWorkers();
  workers.controller = null;
  watch(workers);
  await act(async () => workers.install());
  expect(screen.queryByText(OFFER)).toBeNull();
});
