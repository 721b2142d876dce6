import { ensureInstalled } from './runtime/install.mjs';
import { launch } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

await launch(async () => {
  await ensureInstalled();
  return runNode(['tools/verify/run-steps.ts', 'check']);
});
