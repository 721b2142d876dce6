import { ensureBuilt } from './runtime/build.mjs';
import { ensureInstalled } from './runtime/install.mjs';
import { launch } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

const args = process.argv.slice(2);

await launch(async () => {
  await ensureInstalled();
  // The load uses only the API, so the page is needed only by people who look at the cluster.
  if (args.includes('--keep')) await ensureBuilt();
  return runNode(['tools/cluster/run-cluster.ts', ...args]);
});
