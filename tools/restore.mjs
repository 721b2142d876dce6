import { resolve } from 'node:path';
import { ensureInstalled } from './runtime/install.mjs';
import { getEnvFileFlags, launch } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

const [archive] = process.argv.slice(2);

await launch(async () => {
  await ensureInstalled();
  // npm runs this in the project's folder, but a relative path means the folder in which the user entered the command.
  const path = archive === undefined ? [] : [resolve(process.env.INIT_CWD ?? '', archive)];
  return runNode([...getEnvFileFlags(), 'apps/server/src/backup/commands.ts', 'restore', ...path]);
});
