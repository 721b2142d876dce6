import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { copyCluster, createDataFolder, killPostgresProcesses, killProcess, runQuery, type TestDataFolder } from './data-folder.fixture.ts';
import { AlreadyRunningError } from './errors.ts';
import { listPostgresProcesses, readProcessState } from './processes.ts';

const isLinux = process.platform === 'linux';

let template: TestDataFolder;
let folder: TestDataFolder;

beforeAll(async () => {
  template = await createDataFolder();
  await (await template.start()).stop();
});

beforeEach(async () => {
  folder = await createDataFolder();
  copyCluster(template, folder);
});

afterEach(() => folder.remove());
afterAll(() => template.remove());

test('keeps data across a restart', async () => {
  const first = await folder.start();
  await runQuery(first.connection, "create table jobs as select 'Boiler' as title");
  await first.stop();
  expect(listPostgresProcesses(folder.clusterDir)).toEqual([]);

  const second = await folder.start();
  expect(await runQuery(second.connection, 'select title from jobs')).toEqual([{ title: 'Boiler' }]);
});

test('syncs commits to disk and uses checksums by default', async () => {
  const { connection } = await folder.start({ settings: {} });
  const settings = await runQuery(
    connection,
    `select name, setting from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses') order by name`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    synchronous_commit: 'on',
  });
});

test('rejects a second start, reports the pid and URL of the first, and leaves the database running', async () => {
  const first = await folder.start();
  await first.announceUrl('http://localhost:3000');
  const pidBefore = await folder.readPostmasterPid();

  const second = await folder.start().catch((error: unknown) => error);

  expect(second).toBeInstanceOf(AlreadyRunningError);
  expect(second).toMatchObject({ pid: process.pid, url: 'http://localhost:3000' });
  expect(await folder.readPostmasterPid()).toBe(pidBefore);
  expect(await runQuery(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('takes over the running database after the app was killed', async () => {
  const killed = await folder.startProcess();
  const orphan = await folder.readPostmasterPid();
  await killProcess(killed.process);

  const next = await folder.start();

  expect(await folder.readPostmasterPid()).toBe(orphan);
  expect(await runQuery(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await next.stop();
  expect(readProcessState(orphan)).not.toBe('running');
});

test('restarts a killed database with all committed data, and keeps the instance lock', async () => {
  const log: string[] = [];
  const { connection } = await folder.start({ settings: {}, log });
  await runQuery(connection, 'create table jobs as select generate_series(1, 100) as number');
  process.kill(await folder.readPostmasterPid(), 'SIGKILL');

  await vi.waitUntil(() => log.includes('The database is running again.'), { timeout: 20_000 });

  expect(await runQuery(connection, 'select count(*)::int as jobs from jobs')).toEqual([{ jobs: 100 }]);
  await expect(folder.start()).rejects.toBeInstanceOf(AlreadyRunningError);
});

test('restarts a killed database that an earlier process started', async () => {
  const killed = await folder.startProcess();
  await killProcess(killed.process);
  const log: string[] = [];
  const { connection } = await folder.start({ settings: {}, log });
  killPostgresProcesses(folder.clusterDir);

  await vi.waitUntil(() => log.includes('The database is running again.'), { timeout: 20_000 });

  expect(await runQuery(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('leaves nothing running when stopped during a restart', async () => {
  const postgres = await folder.start();
  process.kill(await folder.readPostmasterPid(), 'SIGKILL');
  await postgres.stop();
  expect(listPostgresProcesses(folder.clusterDir)).toEqual([]);
});

test.runIf(isLinux)('starts despite a lock file that belongs to a zombie process', async () => {
  const first = await folder.start();
  await first.stop();
  // The shell becomes `sleep`, which never reaps its child, so the child stays a zombie.
  const { pid, parent } = await startUnrelatedProcess('sleep 0.5 & echo $!; exec sleep 60');
  await vi.waitUntil(() => readProcessState(pid) === 'zombie', { timeout: 5000 });
  await writeLockFiles(pid, first.connection.host);

  const second = await folder.start();

  expect(await runQuery(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await killProcess(parent);
});

test('ignores a lock file whose pid now belongs to an unrelated process', async () => {
  const first = await folder.start();
  await first.stop();
  const { pid, parent } = await startUnrelatedProcess('echo $$; exec sleep 60');
  await writeLockFiles(pid, first.connection.host);

  const second = await folder.start();

  expect(await runQuery(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await killProcess(parent);
});

/** Starts a process under the database's account, because PostgreSQL ignores the pid of any other account. The script prints the pid. */
async function startUnrelatedProcess(script: string): Promise<{ pid: number; parent: ChildProcess }> {
  const { uid, gid } = await lstat(folder.clusterDir);
  const parent = spawn('sh', ['-c', script], { uid, gid, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  return { pid: Number(line.toString()), parent };
}

async function writeLockFiles(pid: number, socketDir: string): Promise<void> {
  const { uid, gid } = await lstat(folder.clusterDir);
  const text = `${pid}\n${folder.clusterDir}\n1700000000\n5432\n${socketDir}\n\n  1234  5678\nready   \n`;
  for (const file of [join(folder.clusterDir, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
    await writeFile(file, text, { mode: 0o600 });
    await chown(file, uid, gid);
  }
}

test('reports which setting PostgreSQL rejected', async () => {
  await expect(folder.start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(/does not start: .*shared_buffers/);
});

test('logs errors without customer data', async () => {
  const log: string[] = [];
  const { connection, stop } = await folder.start({ log });
  await runQuery(connection, 'create table people (email text primary key)');
  const insertion = runQuery(connection, "insert into people values ('jo@example.com'), ('jo@example.com')");
  await expect(insertion).rejects.toThrow('duplicate key');
  await stop();
  expect(log.join('\n')).toContain('duplicate key');
  expect(log.join('\n') + (await readFile(join(folder.path, 'postgres.log'), 'utf8'))).not.toContain('jo@example.com');
});
