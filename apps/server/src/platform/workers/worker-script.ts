import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-pool.ts';

/** The whole script of a thread of a worker pool: does the work for every input that the pool sends. */
export function runWorkerScript(work: (input: never) => Promise<unknown>): void {
  const answer = async (input: never): Promise<WorkerAnswer<unknown>> => {
    try {
      return { output: await work(input) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  parentPort?.on('message', (input: unknown) => void answer(input as never).then((answered) => parentPort?.postMessage(answered, [])));
}
