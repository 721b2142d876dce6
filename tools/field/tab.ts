import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { CommandOwner } from '../../apps/web/src/lib/commands/stored-command.ts';
import { connectToStorage } from './browser-storage.ts';
import { loadComponents } from './component-loader.ts';
import { startPage } from './page.ts';
import type { SharedClock } from './simulated-clock.ts';
import { installTabEnvironment } from './tab-environment.ts';

/** One tab of a browser, in a thread of its own, so that it can be killed at any moment. Runs the page's own code. */

export interface Person extends CommandOwner {
  readonly staffId: string;
  readonly name: string;
}

export interface TabData {
  readonly origin: string;
  readonly browser: number;
  readonly clock: SharedClock;
  readonly isOnline: boolean;
  readonly storage: MessagePort;
  /** Calls that this version of the page no longer has. */
  readonly removedCalls: readonly string[];
}

export type TabRequest =
  /** Someone has signed in, in this tab or another one. */
  | { readonly kind: 'open'; readonly person: Person; readonly cookie: string }
  | {
      readonly kind: 'make';
      readonly press: number;
      readonly call: string;
      readonly variables: object;
      readonly files: ReadonlyMap<string, ArrayBuffer> | undefined;
    }
  /** The person discards each refused command, or tries it again. */
  | { readonly kind: 'tidy'; readonly discards: boolean }
  /** Ends the thread in the middle of whatever it waits for. */
  | { readonly kind: 'die'; readonly afterMs: number }
  | { readonly kind: 'online'; readonly isOnline: boolean }
  | { readonly kind: 'watch'; readonly jobId: string }
  /** Compares what the tab shows with what the server has. Nobody but this browser has changed its own jobs. */
  | { readonly kind: 'compare'; readonly ownJobs: ReadonlySet<string> };

/** What the person sees after making a change. */
export type Outcome = 'answered' | 'saved' | 'refused' | 'failed';

export type TabMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'outcome'; readonly press: number; readonly outcome: Outcome; readonly reason?: string }
  | { readonly kind: 'discarding'; readonly id: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'compared'; readonly differences: readonly string[] };

const { origin, browser, clock, storage, isOnline: wasOnline, removedCalls } = workerData as TabData;
let cookie = '';
let isOnline = wasOnline;
loadComponents();
installTabEnvironment({ origin, browser, clock, getCookie: () => cookie, isOnline: () => isOnline });

const post = (message: TabMessage) => parentPort?.postMessage(message, []);
const page = await startPage({
  openStorage: async () => connectToStorage(storage),
  post,
  removedCalls,
});

parentPort?.on('message', (request: TabRequest) => {
  switch (request.kind) {
    case 'open':
      ({ cookie } = request);
      return page.open(request.person);
    case 'make':
      return void page.make(request);
    case 'tidy':
      return void page.tidy(request.discards);
    case 'online':
      ({ isOnline } = request);
      return void dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    case 'die':
      // Not `terminate`, which from time to time crashes Node when it hits a thread that reads a message.
      return void setTimeout(() => process.exit(), request.afterMs);
    case 'watch':
      return page.watch(request.jobId);
    case 'compare':
      return void page.compare(request.ownJobs);
  }
});
post({ kind: 'ready' });
