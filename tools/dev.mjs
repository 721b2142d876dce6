import { join } from 'node:path';
import { ensureInstalled } from './runtime/install.mjs';
import { launch, root, settingsFile } from './runtime/project.mjs';
import { runTogether } from './runtime/run.mjs';

const port = process.env.PORT || '3000';
const apiPort = process.env.API_PORT || String(Number(port) + 1);
const url = `http://localhost:${port}`;

await launch(async () => {
  await ensureInstalled();
  return runTogether([
    {
      args: [...settingsFile(), '--watch', '--watch-preserve-output', 'apps/server/src/main.ts'],
      // Links in emails and the origin check use the URL of the pages, not that of the API server.
      env: { PORT: apiPort, APP_URL: process.env.APP_URL || url },
    },
    {
      args: [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), '--port', port, '--strictPort'],
      env: { API_PORT: apiPort },
      cwd: join(root, 'apps', 'web'),
    },
  ]);
});
