import { ensureInstalled } from './runtime/install.mjs';
import { launch } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

await launch(async () => {
  await ensureInstalled();
  return runNode(['tools/field/run-field.ts', ...process.argv.slice(2)]);
});
