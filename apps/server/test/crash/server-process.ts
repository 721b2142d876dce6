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
const repositoryRoot = join(import.meta.dirname, '../../../..');
/** Caches compiled TypeScript. Without the cache, compiling takes a third of the startup time. */
export const COMPILE_CACHE_ENV = { NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules/.cache/callout-server-tests') };
const mainPath = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The server in a separate process, as `npm start` runs it, with a data folder for the test. */
export interface ServerProcess {
  readonly url: string;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Sends the signal to stop twice in quick succession, as a double Ctrl-C does. */
  stopTwice(): Promise<void>;
}

/** Starts the server and waits until it is ready. `script` is the entry point of another release's server. */
export async function startServerProcess(
  dataDir: string,
  port: number,
  environment: Record<string, string> = {},
  script = mainPath,
): Promise<ServerProcess> {
  const child = spawnServer(dataDir, port, environment, script);
  await waitUntilReady(child);
  return {
    url: `http://127.0.0.1:${port}`,
    kill: () => endProcess(child, 'SIGKILL'),
    stop: () => endProcess(child, 'SIGTERM'),
    async stopTwice() {
      child.kill('SIGINT');
      await pause(POLL_INTERVAL_MS);
      await endProcess(child, 'SIGINT');
    },
  };
}

/** Starts the server and stops it as soon as its database is running, long before the server accepts requests. */
export async function stopDuringStartup(dataDir: string, port: number): Promise<{ code: number | null; errors: string }> {
  const child = spawnServer(dataDir, port);
  const ended = once(child, 'exit');
  const errors = text(child.stderr);
  await waitForDatabase(dataDir);
  child.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  return { code, errors: await errors };
}

const spawnServer = (dataDir: string, port: number, environment: Record<string, string> = {}, script = mainPath) =>
  spawn(process.execPath, [script], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...COMPILE_CACHE_ENV,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Runs the work with a new data folder and deletes the folder afterwards. */
export async function withTempDataFolder<Result>(work: (dataDir: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-crash-'));
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Kills the database server and all its child processes at once, as a crash would. */
export async function killDatabase(dataDir: string): Promise<void> {
  const clusterDir = join(dataDir, 'postgres');
  const file = await readPostmasterFile(clusterDir);
  const pids = new Set([...(file ? [file.pid] : []), ...listPostgresProcesses(clusterDir)]);
  if (pids.size === 0) throw new Error('There is no database to kill');
  for (const pid of pids) killProcess(pid);
  for (const pid of pids) while (readProcessState(pid) === 'running') await pause(POLL_INTERVAL_MS);
}

/** Waits until the database accepts connections, for the first time or after a restart. */
export async function waitForDatabase(dataDir: string): Promise<void> {
  for (;;) {
    const file = await readPostmasterFile(join(dataDir, 'postgres'));
    if (file?.isReady && isPostmasterAlive(join(dataDir, 'postgres'), file)) return;
    await pause(POLL_INTERVAL_MS);
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the process has already exited, because PostgreSQL's backends exit when their postmaster dies.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  if (!child.stdout || !child.stderr) throw new Error('The product process has no output streams');
  const output: string[] = [];
  createInterface(child.stderr).on('line', (line) => output.push(line));
  const lines = createInterface(child.stdout);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      output.push(line);
      if (line.startsWith('Callout is ready at ')) resolve();
    });
    child.once('exit', () => reject(new Error(`The product did not start:\n${output.join('\n')}`)));
  });
}

async function endProcess(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
