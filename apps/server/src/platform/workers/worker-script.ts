import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-pool.ts';

/** The whole script of a thread of a worker pool: does the work for every input that it is sent. */
export function runWorkerScript<Input, Output>(work: (input: Input) => Promise<Output>): void {
  parentPort?.on('message', (input: Input) => void answer(input));

  async function answer(input: Input): Promise<void> {
    parentPort?.postMessage(await settle(input), []);
  }

  async function settle(input: Input): Promise<WorkerAnswer<Output>> {
    try {
      return { output: await work(input) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }
}
