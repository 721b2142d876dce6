import { serveWorkerTasks } from '../workers/run-worker-tasks.ts';
import type { PdfRenderRequest } from './pdf-renderer.ts';

/** Runs in a worker thread. The module is imported by URL because the platform must not depend on features. */
serveWorkerTasks(async ({ moduleUrl, functionName, input }: PdfRenderRequest): Promise<Uint8Array> => {
  const exports = (await import(moduleUrl)) as Record<string, (input: unknown) => Promise<Uint8Array>>;
  const render = exports[functionName];
  if (!render) throw new Error(`${moduleUrl} doesn't export ${functionName}`);
  return render(input);
});
