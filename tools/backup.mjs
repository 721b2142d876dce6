import { resolve } from 'node:path';
import { ensureInstalled } from './runtime/install.mjs';
import { getEnvFileFlags, launch } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

const [target] = process.argv.slice(2);

await launch(async () => {
  await ensureInstalled();
  // npm changes to the project's folder, but paths are relative to the folder where the command was entered.
  const path = target === undefined ? [] : [resolve(process.env.INIT_CWD ?? '', target)];
  return runNode([...getEnvFileFlags(), 'apps/server/src/backup/commands.ts', 'backup', ...path]);
});
