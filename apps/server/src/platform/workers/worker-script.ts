import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-pool.ts';

/** The whole script of a thread of a worker pool: does the work for every input that it is sent. */
export function runWorkerScript(work: (input: never) => Promise<unknown>): void {
  parentPort?.on('message', (input: unknown) => void answer(input as never));

  async function answer(input: never): Promise<void> {
    parentPort?.postMessage(await settle(input), []);
  }

  async function settle(input: never): Promise<WorkerAnswer<unknown>> {
    try {
      return { output: await work(input) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }
}
