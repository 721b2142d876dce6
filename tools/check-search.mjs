import { ensureInstalled } from './runtime/install.mjs';
import { launch } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

await launch(async () => {
  await ensureInstalled();
  return runNode(['apps/server/test/check-search-plans.ts', ...process.argv.slice(2)]);
});
