import { createFairQueue } from '../db/fair-queue.ts';
import { createWorkerPool } from '../workers/worker-pool.ts';

const LIMITS = { workers: 2, waiting: 40, timeoutMs: 30_000, memoryMb: 256 };

export interface PdfRenderer<Input> {
  render(companyId: string, input: Input): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Renders one kind of document in threads of their own. The script hands its render function to `runWorkerScript`. */
export function createPdfRenderer<Input>(script: URL): PdfRenderer<Input> {
  const pool = createWorkerPool<Input, Uint8Array>(script, LIMITS);
  // In turn: however many PDFs one company asks for, another waits for one of them at most.
  const turns = createFairQueue({ slots: LIMITS.workers, slotsPerKey: 1, waitingPerKey: 20, maxWaitMs: LIMITS.timeoutMs });
  return {
    render: (companyId, input) => turns.run(companyId, () => pool.run(input)),
    close: () => pool.close(),
  };
}
