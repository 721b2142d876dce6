import type { MessagePort } from 'node:worker_threads';
import type { CommandStorage } from '../../apps/web/src/lib/commands/command-storage.ts';

type StorageMethod = Exclude<keyof CommandStorage, 'isDurable' | 'close'>;

/** What a tab asks of the thread that has its browser's IndexedDB. */
export interface StorageRequest {
  readonly method: StorageMethod;
  readonly args: readonly unknown[];
}

export interface StorageAnswer {
  readonly request: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** The storage of a tab. It is in another thread, which outlives the tab, as a browser's disk does. */
export function connectToStorage(port: MessagePort): CommandStorage {
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let count = 0;
  port.on('message', ({ request, result, error }: StorageAnswer) => {
    const { resolve, reject } = waiting.get(request) ?? {};
    waiting.delete(request);
    if (error === undefined) resolve?.(result as never);
    else reject?.(new Error(error));
  });
  const ask = <Method extends StorageMethod>(method: Method) =>
    ((...args: readonly unknown[]) =>
      new Promise((resolve, reject) => {
        count += 1;
        waiting.set(count, { resolve, reject });
        port.postMessage([count, { method, args } satisfies StorageRequest], []);
      })) as CommandStorage[Method];
  return {
    isDurable: true,
    list: ask('list'),
    add: ask('add'),
    replace: ask('replace'),
    remove: ask('remove'),
    putFile: ask('putFile'),
    findFile: ask('findFile'),
    removeFiles: ask('removeFiles'),
    // The port closes with the tab.
    close: () => undefined,
  };
}
