import type { MessagePort } from 'node:worker_threads';
import type { CommandStorage } from '../../apps/web/src/lib/commands/command-storage.ts';
import type { QueuedCommand, StoredCommand } from '../../apps/web/src/lib/commands/stored-command.ts';

/** What a tab asks of the thread that has its browser's IndexedDB. */
export type StorageRequest =
  | { readonly method: 'list' }
  | { readonly method: 'add'; readonly command: StoredCommand; readonly files: ReadonlyMap<string, ArrayBuffer> | undefined }
  | { readonly method: 'replace'; readonly command: QueuedCommand }
  | { readonly method: 'remove'; readonly commands: readonly QueuedCommand[] }
  | { readonly method: 'findFile'; readonly id: string };

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
  const ask = <Result>(request: StorageRequest) =>
    new Promise<Result>((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve, reject });
      port.postMessage([count, request], []);
    });
  return {
    isDurable: true,
    list: () => ask({ method: 'list' }),
    add: (command, files) => ask({ method: 'add', command, files }),
    replace: (command) => ask({ method: 'replace', command }),
    remove: (commands) => ask({ method: 'remove', commands }),
    findFile: (id) => ask({ method: 'findFile', id }),
    // The port closes with the tab.
    close: () => undefined,
  };
}
