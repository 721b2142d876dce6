import { join } from 'node:path';
import { ensureInstalled } from './runtime/install.mjs';
import { getEnvFileFlags, launch, root } from './runtime/project.mjs';
import { runPrograms } from './runtime/run.mjs';

const port = process.env.PORT || '3000';
const apiPort = process.env.API_PORT || String(Number(port) + 1);
const url = `http://localhost:${port}`;

await launch(async () => {
  await ensureInstalled();
  return runPrograms([
    {
      args: [...getEnvFileFlags(), '--watch', '--watch-preserve-output', 'apps/server/src/main.ts'],
      // Links in emails and the origin check must use the URL of the web app, not the API server's.
      env: { PORT: apiPort, APP_URL: process.env.APP_URL || url },
    },
    {
      args: [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), '--port', port, '--strictPort'],
      env: { API_PORT: apiPort },
      cwd: join(root, 'apps', 'web'),
    },
  ]);
});
