import { runWorkerScript } from '../workers/worker-script.ts';
import type { PdfOrder } from './pdf-renderer.ts';

/** One thread of the renderer. The features name their modules, since this one knows no feature. */
runWorkerScript(async ({ module, render, input }: PdfOrder): Promise<Uint8Array> => {
  const functions = (await import(module)) as Record<string, (input: unknown) => Promise<Uint8Array>>;
  const found = functions[render];
  if (!found) throw new Error(`${module} has no ${render}`);
  return found(input);
});
