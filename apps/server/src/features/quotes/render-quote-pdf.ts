import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from '../../platform/workers/worker-pool.ts';
import { type QuotePdfInput, renderQuotePdf } from './quote.pdf.ts';

/** One thread of the pool in quote-pdf.route.ts. */
parentPort?.on('message', (input: QuotePdfInput) => void answer(input));

async function answer(input: QuotePdfInput): Promise<void> {
  parentPort?.postMessage(await render(input), []);
}

async function render(input: QuotePdfInput): Promise<WorkerAnswer<Uint8Array>> {
  try {
    return { output: await renderQuotePdf(input) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
