import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMINISTRATOR } from './administrator.ts';
import { keepMailsIn } from './mail-folder.ts';
import { startMailServer } from './mail-server.ts';
import { announce } from './running-product.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY = /is ready at/;
const START_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 20_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('No free port');
  return address.port;
}

/** Resolves at the line that says it is ready; fails with everything it printed when it ends before that. */
async function ready(server: ChildProcess): Promise<void> {
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The product ${why}:\n${printed}`));
    const late = setTimeout(() => fail(`was not ready within ${START_WITHIN_MS / 1000} s`), START_WITHIN_MS);
    const listen = (chunk: Buffer) => {
      printed += chunk.toString();
      if (READY.test(printed)) {
        clearTimeout(late);
        resolve();
      }
    };
    server.stdout?.on('data', listen);
    server.stderr?.on('data', listen);
    server.once('exit', (code) => fail(`ended with ${code} at its start`));
    server.once('error', (error) => fail(error.message));
  });
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  const late = setTimeout(() => server.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(late);
}

/** Starts the built product as a person would, on data of its own, with a mail server that keeps what it gets. */
async function startProduct(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'callout-e2e-'));
  // As root the database runs under an ordinary account, which must reach its data.
  chmodSync(folder, 0o755);
  const mailFolder = join(folder, 'mail');
  const mail = await startMailServer(keepMailsIn(mailFolder));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = spawn(process.execPath, [join(ROOT, 'apps/server/src/main.ts')], {
    cwd: ROOT,
    // Over the channel it notices when the test run is gone.
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
      ADMIN_EMAIL: ADMINISTRATOR.email,
      // Each test comes from an address of its own, so that the limits on attempts count it alone.
      TRUST_PROXY: '1',
      LOG_LEVEL: 'warn',
    },
  });
  const stopAll = async () => {
    await stop(server);
    await mail.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(server);
  } catch (error) {
    await stopAll();
    throw error;
  }
  announce({ url, mailFolder });
  return stopAll;
}

// Playwright takes its setup from the default export.
export default startProduct;
