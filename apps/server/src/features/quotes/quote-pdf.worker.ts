import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from '../../platform/workers/worker-pool.ts';
import { type QuotePdfInput, renderQuotePdf } from './quote-pdf.ts';

/** One thread of the pool in quote-pdf.route.ts. */
parentPort?.on('message', async (input: QuotePdfInput) => {
  let answer: WorkerAnswer<Uint8Array>;
  try {
    answer = { output: await renderQuotePdf(input) };
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(answer);
});
