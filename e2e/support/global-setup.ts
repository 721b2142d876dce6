import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMINISTRATOR_CREDENTIALS } from './administrator.ts';
import { startMailServer } from './mail-server.ts';
import { createMailWriter } from './mail-writer.ts';
import { shareRunningServer } from './running-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY_MESSAGE = /is ready at/;
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('No free port');
  return address.port;
}

/** Resolves once the server prints that it is ready. If the server exits first, throws an error with the server's output. */
async function waitUntilReady(server: ChildProcess): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`The server ${reason}:\n${output}`));
    const timeout = setTimeout(() => fail(`was not ready within ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
    const onOutput = (chunk: Buffer) => {
      output += chunk.toString();
      if (READY_MESSAGE.test(output)) {
        clearTimeout(timeout);
        resolve();
      }
    };
    server.stdout?.on('data', onOutput);
    server.stderr?.on('data', onOutput);
    server.once('exit', (code) => fail(`exited with ${code} before it was ready`));
    server.once('error', (error) => fail(error.message));
  });
}

async function stopProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  const timeout = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timeout);
}

/** Starts the built server with a temporary data folder, and a mail server that writes every email to a file. */
async function startTestServer(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'callout-e2e-'));
  // When started by root, PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  const mailFolder = join(folder, 'mail');
  const mail = await startMailServer(createMailWriter(mailFolder));
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const server = spawn(process.execPath, [join(ROOT, 'apps/server/src/main.ts')], {
    cwd: ROOT,
    // Through the IPC channel, the server notices when the test run has ended.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, 'data'),
      APP_URL: url,
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'Callout <callout@localhost>',
      ADMIN_EMAIL: ADMINISTRATOR_CREDENTIALS.email,
      // Trust the IP address that each test sends. With different addresses, tests don't share rate limits.
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
    },
  });
  const stopAll = async () => {
    await stopProcess(server);
    await mail.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(server);
  } catch (error) {
    await stopAll();
    throw error;
  }
  shareRunningServer({ url, mailFolder });
  return stopAll;
}

// Playwright calls the default export as its global setup.
export default startTestServer;
