import { getActorKey } from '../db/actor.ts';
import type { Tenant } from '../db/tenant-scope.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { createWorkerPool } from '../workers/worker-pool.ts';

const WORKER_LIMITS = { maxWorkers: 2, maxWaiting: 40, timeoutMs: 30_000, memoryMb: 256 };

/** Identifies the function that renders one type of document by module and name, because functions can't be sent to a worker. */
export interface PdfDefinition<Input> {
  readonly moduleUrl: string;
  readonly functionName: string;
  /** Never set; carries the type of the function's input. */
  readonly input?: Input;
}

export function definePdf<Input>(moduleUrl: URL, functionName: string): PdfDefinition<Input> {
  return { moduleUrl: moduleUrl.href, functionName };
}

/** The message that is sent to a worker thread. */
export interface PdfRenderRequest {
  readonly moduleUrl: string;
  readonly functionName: string;
  readonly input: unknown;
}

export interface PdfRenderer {
  render<Input>(definition: PdfDefinition<Input>, tenant: Tenant, input: Input): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function createPdfRenderer(): PdfRenderer {
  const pool = createWorkerPool<PdfRenderRequest, Uint8Array>(new URL('./pdf-worker.ts', import.meta.url), WORKER_LIMITS);
  // With a fair queue, a company that requests many PDFs can delay another company by at most one PDF. The same holds for its people.
  const { maxWorkers: slots, timeoutMs: maxWaitMs } = WORKER_LIMITS;
  const fairQueue = createFairQueue({ name: 'PDFs', slots, slotsPerGroup: 1, maxWaitingPerKey: 20, maxWaitMs });
  return {
    render: ({ moduleUrl, functionName }, { companyId, actor }, input) =>
      fairQueue.run([companyId, getActorKey(actor)], () => pool.run({ moduleUrl, functionName, input })),
    close: () => pool.close(),
  };
}
