import { parentPort } from 'node:worker_threads';
import type { WorkerResponse } from './worker-pool.ts';

/** Entry point of a worker thread: handles each input from the pool and posts back its output or error. */
export function serveWorkerTasks(handleTask: (input: never) => Promise<unknown>): void {
  const respond = async (input: never): Promise<WorkerResponse<unknown>> => {
    try {
      return { output: await handleTask(input) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  parentPort?.on('message', (input: unknown) => void respond(input as never).then((response) => parentPort?.postMessage(response, [])));
}
