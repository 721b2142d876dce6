import { resolve } from 'node:path';
import { ensureInstalled } from './runtime/install.mjs';
import { launch, settingsFile } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

const [target] = process.argv.slice(2);

await launch(async () => {
  await ensureInstalled();
  // Relative to the folder where the command was typed: npm changes to the project.
  const path = target === undefined ? [] : [resolve(process.env.INIT_CWD ?? '', target)];
  return runNode([...settingsFile(), 'apps/server/src/backup/commands.ts', 'backup', ...path]);
});
