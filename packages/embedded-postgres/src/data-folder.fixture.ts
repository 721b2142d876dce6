import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { vi } from 'vitest';
import { type EmbeddedPostgres, type PostgresConnection, startEmbeddedPostgres } from './embedded-postgres.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { listPostgresProcesses, readProcessState } from './processes.ts';

const SUPERVISOR_SCRIPT = fileURLToPath(new URL('supervisor-process.fixture.ts', import.meta.url));

/** Options for an example app with an embedded database. */
export const EXAMPLE_OPTIONS = { appName: 'Example', superuser: 'example', database: 'example' };

export interface TestDataFolder {
  readonly path: string;
  readonly clusterDir: string;
  start(options?: { settings?: Record<string, string>; log?: string[]; subfolder?: string }): Promise<EmbeddedPostgres>;
  /** Starts the app as a separate process and returns the first line it prints. */
  startProcess(identity?: { uid?: number; gid?: number }): Promise<{ output: string; process: ChildProcess }>;
  readPostmasterPid(): Promise<number>;
  remove(): Promise<void>;
}

/** Creates a data folder for one test. Removing the folder also stops every process that was started in it. */
export async function createDataFolder(): Promise<TestDataFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-')));
  await chmod(path, 0o711);
  const clusterDir = join(path, 'postgres');
  const cleanUpSteps: (() => Promise<unknown>)[] = [() => stopOrphanedServer(clusterDir)];
  return {
    path,
    clusterDir,
    async start({ settings = { fsync: 'off' }, log = [], subfolder = '' } = {}) {
      const dataDir = join(path, subfolder);
      const postgres = await startEmbeddedPostgres({ ...EXAMPLE_OPTIONS, dataDir, log: (line) => log.push(line), settings });
      cleanUpSteps.unshift(() => postgres.stop());
      return postgres;
    },
    async startProcess(identity = {}) {
      const child = spawn(process.execPath, [SUPERVISOR_SCRIPT, JSON.stringify({ ...EXAMPLE_OPTIONS, dataDir: path })], {
        ...identity,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      cleanUpSteps.unshift(() => killProcess(child));
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
      return { output: chunk.toString().trim(), process: child };
    },
    async readPostmasterPid() {
      const file = await readPostmasterFile(clusterDir);
      if (!file) throw new Error('No database is running');
      return file.pid;
    },
    async remove() {
      for (const step of cleanUpSteps) await step();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Copies an existing cluster, which is faster than creating one. */
export function copyCluster(from: TestDataFolder, to: TestDataFolder): void {
  execFileSync('cp', ['-a', from.clusterDir, to.clusterDir]);
}

export async function runQuery<Row extends pg.QueryResultRow>(connection: PostgresConnection, text: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function stopOrphanedServer(clusterDir: string): Promise<void> {
  const file = await readPostmasterFile(clusterDir);
  if (!file || file.pid === process.pid || readProcessState(file.pid) !== 'running') return;
  process.kill(file.pid, 'SIGQUIT');
  await vi.waitUntil(() => readProcessState(file.pid) !== 'running', { timeout: 10_000 });
}

/** Kills the postmaster and its children, of which some end by themselves before it is their turn. */
export function killPostgresProcesses(clusterDir: string): void {
  for (const pid of listPostgresProcesses(clusterDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
