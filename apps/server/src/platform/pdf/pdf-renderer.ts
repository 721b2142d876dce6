import { createFairQueue } from '../db/fair-queue.ts';
import { createWorkerPool } from '../workers/worker-pool.ts';

const LIMITS = { workers: 2, waiting: 40, timeoutMs: 30_000, memoryMb: 256 };

/** A kind of document: the module and the function in it that render one. */
export interface PdfKind<Input> {
  readonly module: string;
  readonly render: string;
  /** Only a type: what the function takes. */
  readonly input?: Input;
}

export function definePdf<Input>(module: URL, render: string): PdfKind<Input> {
  return { module: module.href, render };
}

/** What a thread is sent. */
export interface PdfOrder {
  readonly module: string;
  readonly render: string;
  readonly input: unknown;
}

export interface PdfRenderer {
  render<Input>(kind: PdfKind<Input>, companyId: string, input: Input): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Renders documents of every kind in a few threads of their own. */
export function createPdfRenderer(): PdfRenderer {
  const pool = createWorkerPool<PdfOrder, Uint8Array>(new URL('./render-pdf.ts', import.meta.url), LIMITS);
  // In turn: however many PDFs one company asks for, another waits for one of them at most.
  const turns = createFairQueue({ slots: LIMITS.workers, slotsPerKey: 1, waitingPerKey: 20, maxWaitMs: LIMITS.timeoutMs });
  return {
    render: ({ module, render }, companyId, input) => turns.run(companyId, () => pool.run({ module, render, input })),
    close: () => pool.close(),
  };
}
