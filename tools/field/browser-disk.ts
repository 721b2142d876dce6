import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import * as fakeIndexedDb from 'fake-indexeddb';
import { type CommandStorage, openCommandStorage } from '../../apps/web/src/lib/commands/command-storage.ts';
import type { QueuedCommand } from '../../apps/web/src/lib/commands/stored-command.ts';
import type { StorageAnswer, StorageRequest } from './browser-storage.ts';
import { readClock, type SharedClock } from './simulated-clock.ts';

/** The disk of one browser: its IndexedDB, in a thread of its own, because tabs and whole browsers are killed. */

/** A command that a tab has stored, with the right time, which the browser may not know. */
export interface StoredRecord {
  readonly command: QueuedCommand;
  readonly storedAt: number;
}

export type DiskRequest = { readonly tab: MessagePort } | { readonly list: number };
export type DiskMessage = StoredRecord | { readonly listed: number; readonly commands: readonly QueuedCommand[] };

const { clock, dropEvery } = workerData as { clock: SharedClock; dropEvery: number };
Object.assign(globalThis, fakeIndexedDb);

const post = (message: DiskMessage) => parentPort?.postMessage(message, []);
let addCount = 0;

async function handle(storage: CommandStorage, { method, args }: StorageRequest): Promise<unknown> {
  const result = await (storage[method] as (...rest: readonly unknown[]) => Promise<unknown>)(...args);
  if (method !== 'add') return result;
  for (const command of result as readonly QueuedCommand[]) {
    post({ command, storedAt: readClock(clock) });
    addCount += 1;
    // To see the simulation fail: the disk forgets a command.
    if (dropEvery > 0 && addCount % dropEvery === 0) await storage.remove([command]);
  }
  return result;
}

async function serveTab(port: MessagePort): Promise<void> {
  const opening = openCommandStorage();
  port.on('message', ([count, request]: [number, StorageRequest]) => {
    void opening
      .then((storage) => handle(storage, request))
      .then(
        (result): StorageAnswer => ({ request: count, result }),
        (error: unknown): StorageAnswer => ({ request: count, error: String(error) }),
      )
      .then((answer) => port.postMessage(answer, []));
  });
  port.on('close', () => void opening.then((storage) => storage.close()));
}

parentPort?.on('message', (request: DiskRequest) => {
  if ('tab' in request) return void serveTab(request.tab);
  void openCommandStorage().then(async (storage) => {
    post({ listed: request.list, commands: await storage.list() });
    storage.close();
  });
});
