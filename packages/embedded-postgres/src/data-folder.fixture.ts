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
import { readProcessState } from './processes.ts';

const program = fileURLToPath(new URL('supervisor-process.fixture.ts', import.meta.url));

/** A product with an embedded database. */
export const EXAMPLE = { appName: 'Example', superuser: 'example', database: 'example' };

export interface DataFolder {
  readonly path: string;
  readonly clusterDir: string;
  start(options?: { settings?: Record<string, string>; log?: string[]; below?: string }): Promise<EmbeddedPostgres>;
  /** The product as a separate process. Returns the first line it writes. */
  startProcess(identity?: { uid?: number; gid?: number }): Promise<{ output: string; process: ChildProcess }>;
  postmasterPid(): Promise<number>;
  remove(): Promise<void>;
}

/** A folder for one test; whatever was started in it ends with it. */
export async function makeDataFolder(): Promise<DataFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-')));
  await chmod(path, 0o711);
  const clusterDir = join(path, 'postgres');
  const cleanUp: (() => Promise<unknown>)[] = [() => endOrphan(clusterDir)];
  return {
    path,
    clusterDir,
    async start({ settings = { fsync: 'off' }, log = [], below = '' } = {}) {
      const postgres = await startEmbeddedPostgres({ ...EXAMPLE, dataDir: join(path, below), log: (line) => log.push(line), settings });
      cleanUp.unshift(() => postgres.stop());
      return postgres;
    },
    async startProcess(identity = {}) {
      const child = spawn(process.execPath, [program, JSON.stringify({ ...EXAMPLE, dataDir: path })], {
        ...identity,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      cleanUp.unshift(() => killProcess(child));
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
      return { output: chunk.toString().trim(), process: child };
    },
    async postmasterPid() {
      const file = await readPostmasterFile(clusterDir);
      if (!file) throw new Error('No database is running');
      return file.pid;
    },
    async remove() {
      for (const step of cleanUp) await step();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Copies an existing cluster, which is faster than creating one. */
export function copyCluster(from: DataFolder, to: DataFolder): void {
  execFileSync('cp', ['-a', from.clusterDir, to.clusterDir]);
}

export async function query<Row extends pg.QueryResultRow>(connection: PostgresConnection, text: string): Promise<Row[]> {
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

async function endOrphan(clusterDir: string): Promise<void> {
  const file = await readPostmasterFile(clusterDir);
  if (!file || file.pid === process.pid || readProcessState(file.pid) !== 'running') return;
  process.kill(file.pid, 'SIGQUIT');
  await vi.waitUntil(() => readProcessState(file.pid) !== 'running', { timeout: 10_000 });
}
