import { resolve } from 'node:path';
import { ensureInstalled } from './runtime/installed.mjs';
import { launch, settingsFile } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

const [target] = process.argv.slice(2);

await launch(async () => {
  await ensureInstalled();
  // Where the command was typed, which npm has left.
  const path = target === undefined ? [] : [resolve(process.env.INIT_CWD ?? '', target)];
  return runNode([...settingsFile(), 'apps/server/src/backup/backup-command.ts', ...path]);
});
