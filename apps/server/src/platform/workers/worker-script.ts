import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-pool.ts';

/** The whole script of a thread of a worker pool: does the work for every input that the pool sends. */
export function runWorkerScript<Input>(work: (input: Input) => Promise<unknown>): void {
  const answer = async (input: Input): Promise<WorkerAnswer<unknown>> => {
    try {
      return { output: await work(input) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  parentPort?.on('message', (input: Input) => void answer(input).then((answered) => parentPort?.postMessage(answered, [])));
}
