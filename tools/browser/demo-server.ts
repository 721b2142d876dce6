import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../../apps/server/src/demo/seed-demo.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY_MESSAGE = /is ready at (\S+)/;
const START_TIMEOUT_MS = 120_000;

/** Starts the built server with the demo company and a temporary data folder. */
export async function startDemoServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'callout-demo-'));
  // When started by root, the database runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  const server = spawn(process.execPath, [join(ROOT, 'apps/server/src/main.ts')], {
    cwd: ROOT,
    // Through the IPC channel, the server notices when this process exits.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, 'data'),
      DEMO: '1',
      LOG_LEVEL: 'warn',
    },
  });
  const stop = async () => {
    if (server.exitCode === null && server.kill('SIGTERM')) await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { url: await waitForReadyUrl(server), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function waitForReadyUrl(server: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`The server did not start:\n${printed}`));
    const timeout = setTimeout(fail, START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const url = READY_MESSAGE.exec(printed)?.[1];
      if (url === undefined) return;
      clearTimeout(timeout);
      resolve(url);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.once('exit', fail);
  });
}

export async function signInAsDemoAdmin(request: APIRequestContext, url: string): Promise<void> {
  const admin = DEMO_PEOPLE.find(({ role }) => role === 'admin');
  await request.post('/api/auth/sign-in', { data: { email: admin?.email, password: DEMO_PASSWORD }, headers: { origin: url } });
}
