import { ensureInstalled } from './runtime/install.mjs';
import { getEnvFileFlags, launch } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

await launch(async () => {
  await ensureInstalled();
  return runNode([...getEnvFileFlags(), 'apps/server/src/backup/commands.ts', 'files-move']);
});
