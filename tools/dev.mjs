import { join } from 'node:path';
import { ensureInstalled } from './runtime/installed.mjs';
import { launch, root, settingsFile } from './runtime/project.mjs';
import { runTogether } from './runtime/run.mjs';

const port = process.env.PORT || '3000';
const apiPort = process.env.API_PORT || String(Number(port) + 1);
const address = `http://localhost:${port}`;

await launch(async () => {
  await ensureInstalled();
  return runTogether([
    {
      args: [...settingsFile(), '--watch', '--watch-preserve-output', 'apps/server/src/main.ts'],
      // Mailed links and the origin check mean the pages' address, not the server's own.
      env: { PORT: apiPort, APP_URL: process.env.APP_URL || address },
    },
    {
      args: [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), '--port', port, '--strictPort'],
      env: { API_PORT: apiPort },
      cwd: join(root, 'apps', 'web'),
    },
  ]);
});
