import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isPostmasterAlive, readPostmasterFile } from '@callout/embedded-postgres/postmaster-file';
import { listPostgresProcesses, readProcessState } from '@callout/embedded-postgres/processes';

const POLL_INTERVAL_MS = 20;
const root = join(import.meta.dirname, '../../../..');
/** Compiling our TypeScript takes a third of the time in which a process starts. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/callout-server-tests') };
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The product as `npm start` runs it, on its own data folder. */
export interface ProductProcess {
  readonly url: string;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function startProduct(dataDir: string, port: number, environment: Record<string, string> = {}): Promise<ProductProcess> {
  const child = spawnProduct(dataDir, port, environment);
  await ready(child);
  return {
    url: `http://127.0.0.1:${port}`,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

/** Asks it to stop as soon as its database runs, long before it is ready. */
export async function stopDuringStart(dataDir: string, port: number): Promise<{ code: number | null; errors: string }> {
  const child = spawnProduct(dataDir, port);
  const ended = once(child, 'exit');
  const errors = text(child.stderr);
  await databaseIsBack(dataDir);
  child.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  return { code, errors: await errors };
}

const spawnProduct = (dataDir: string, port: number, environment: Record<string, string> = {}) =>
  spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...COMPILE_CACHE,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Removes the data folder when the work is done. */
export async function inNewDataFolder<Result>(work: (dataDir: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-crash-'));
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The database and every process it has started, all at once. */
export async function killDatabase(dataDir: string): Promise<void> {
  const clusterDir = join(dataDir, 'postgres');
  const file = await readPostmasterFile(clusterDir);
  const pids = new Set([...(file ? [file.pid] : []), ...listPostgresProcesses(clusterDir)]);
  if (pids.size === 0) throw new Error('There is no database to kill');
  for (const pid of pids) kill(pid);
  for (const pid of pids) while (readProcessState(pid) === 'running') await pause(POLL_INTERVAL_MS);
}

/** Resolves when the server has started or restarted its database. */
export async function databaseIsBack(dataDir: string): Promise<void> {
  for (;;) {
    const file = await readPostmasterFile(join(dataDir, 'postgres'));
    if (file?.ready && isPostmasterAlive(join(dataDir, 'postgres'), file)) return;
    await pause(POLL_INTERVAL_MS);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // A backend may exit by itself once its postmaster is gone.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function ready(child: ChildProcess): Promise<void> {
  if (!child.stdout || !child.stderr) throw new Error('The product has no output');
  const said: string[] = [];
  createInterface(child.stderr).on('line', (line) => said.push(line));
  const lines = createInterface(child.stdout);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      if (line.startsWith('Callout is ready at ')) resolve();
    });
    child.once('exit', () => reject(new Error(`The product did not start:\n${said.join('\n')}`)));
  });
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
