import { ensureBuilt } from './runtime/build.mjs';
import { ensureInstalled } from './runtime/install.mjs';
import { launch, settingsFile } from './runtime/project.mjs';
import { runNode } from './runtime/run.mjs';

await launch(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return runNode([...settingsFile(), 'apps/server/src/main.ts'], {
    env: { DEMO: '1', DATA_DIR: process.env.DATA_DIR || './data/demo' },
  });
});
