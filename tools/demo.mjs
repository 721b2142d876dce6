import { ensureBuilt } from './runtime/build.mjs';
import { ensureInstalled } from './runtime/install.mjs';
import { getEnvFileFlags, launch } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

await launch(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return runNode([...getEnvFileFlags(), 'apps/server/src/main.ts'], {
    env: { DEMO: '1', DATA_DIR: process.env.DATA_DIR || './data/demo' },
  });
});
