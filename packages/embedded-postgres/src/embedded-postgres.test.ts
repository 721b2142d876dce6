import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { copyCluster, type DataFolder, killProcess, makeDataFolder, query } from './data-folder.fixture.ts';
import { AlreadyRunningError } from './errors.ts';
import { listPostgresProcesses, readProcessState } from './processes.ts';

const onLinux = process.platform === 'linux';

let original: DataFolder;
let folder: DataFolder;

beforeAll(async () => {
  original = await makeDataFolder();
  await (await original.start()).stop();
});

beforeEach(async () => {
  folder = await makeDataFolder();
  copyCluster(original, folder);
});

afterEach(() => folder.remove());
afterAll(() => original.remove());

test('keeps data across a stop and a second start', async () => {
  const first = await folder.start();
  await query(first.connection, "create table jobs as select 'Boiler' as title");
  await first.stop();
  expect(listPostgresProcesses(folder.clusterDir)).toEqual([]);

  const second = await folder.start();
  expect(await query(second.connection, 'select title from jobs')).toEqual([{ title: 'Boiler' }]);
});

test('waits for the disk on commit unless a test asks otherwise, and uses checksums', async () => {
  const { connection } = await folder.start({ settings: {} });
  const shown = await query(
    connection,
    `select name, setting from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses') order by name`,
  );
  expect(Object.fromEntries(shown.map(({ name, setting }) => [name, setting]))).toEqual({
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    synchronous_commit: 'on',
  });
});

test('tells a second start who is using the data, and leaves it alone', async () => {
  const first = await folder.start();
  await first.announce('http://localhost:3000');
  const before = await folder.postmasterPid();

  const second = await folder.start().catch((error: unknown) => error);

  expect(second).toBeInstanceOf(AlreadyRunningError);
  expect(second).toMatchObject({ pid: process.pid, url: 'http://localhost:3000' });
  expect(await folder.postmasterPid()).toBe(before);
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('takes over the running database after the product was killed', async () => {
  const killed = await folder.startProcess();
  const orphan = await folder.postmasterPid();
  await killProcess(killed.process);

  const next = await folder.start();

  expect(await folder.postmasterPid()).toBe(orphan);
  expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await next.stop();
  expect(readProcessState(orphan)).not.toBe('running');
});

test('restarts a killed database with everything that was committed, and stays in control', async () => {
  const log: string[] = [];
  const { connection } = await folder.start({ settings: {}, log });
  await query(connection, 'create table jobs as select generate_series(1, 100) as number');
  process.kill(await folder.postmasterPid(), 'SIGKILL');

  await vi.waitUntil(() => log.includes('The database is back.'), { timeout: 20_000 });

  expect(await query(connection, 'select count(*)::int as jobs from jobs')).toEqual([{ jobs: 100 }]);
  await expect(folder.start()).rejects.toBeInstanceOf(AlreadyRunningError);
});

test('restarts a killed database that an earlier process started', async () => {
  const killed = await folder.startProcess();
  await killProcess(killed.process);
  const log: string[] = [];
  const { connection } = await folder.start({ settings: {}, log });
  for (const pid of listPostgresProcesses(folder.clusterDir)) process.kill(pid, 'SIGKILL');

  await vi.waitUntil(() => log.includes('The database is back.'), { timeout: 20_000 });

  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('leaves nothing running when stopped during a restart', async () => {
  const postgres = await folder.start();
  process.kill(await folder.postmasterPid(), 'SIGKILL');
  await postgres.stop();
  expect(listPostgresProcesses(folder.clusterDir)).toEqual([]);
});

test.runIf(onLinux)('starts despite the lock file of a zombie', async () => {
  const first = await folder.start();
  await first.stop();
  // The shell exits before its child, so that nobody reaps the child.
  const { pid, parent } = await startUnrelatedProcess('sleep 0.5 & echo $!; exec sleep 60');
  await vi.waitUntil(() => readProcessState(pid) === 'zombie', { timeout: 5000 });
  await writeLockFilesOf(pid, first.connection.host);

  const second = await folder.start();

  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await killProcess(parent);
});

test('ignores a lock file whose process id now belongs to an unrelated process', async () => {
  const first = await folder.start();
  await first.stop();
  const { pid, parent } = await startUnrelatedProcess('echo $$; exec sleep 60');
  await writeLockFilesOf(pid, first.connection.host);

  const second = await folder.start();

  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await killProcess(parent);
});

/** A process of the database's own account, whose id a database would trust; the script prints the id. */
async function startUnrelatedProcess(script: string): Promise<{ pid: number; parent: ChildProcess }> {
  const { uid, gid } = await lstat(folder.clusterDir);
  const parent = spawn('sh', ['-c', script], { uid, gid, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  return { pid: Number(line.toString()), parent };
}

async function writeLockFilesOf(pid: number, socketDir: string): Promise<void> {
  const { uid, gid } = await lstat(folder.clusterDir);
  const text = `${pid}\n${folder.clusterDir}\n1700000000\n5432\n${socketDir}\n\n  1234  5678\nready   \n`;
  for (const file of [join(folder.clusterDir, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
    await writeFile(file, text, { mode: 0o600 });
    await chown(file, uid, gid);
  }
}

test('names a setting that PostgreSQL refuses in the error', async () => {
  await expect(folder.start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(/does not start: .*shared_buffers/);
});

test('logs errors without customer data', async () => {
  const log: string[] = [];
  const { connection, stop } = await folder.start({ log });
  await query(connection, 'create table people (email text primary key)');
  const twice = query(connection, "insert into people values ('jo@example.com'), ('jo@example.com')");
  await expect(twice).rejects.toThrow('duplicate key');
  await stop();
  expect(log.join('\n')).toContain('duplicate key');
  expect(log.join('\n') + (await readFile(join(folder.path, 'postgres.log'), 'utf8'))).not.toContain('jo@example.com');
});
