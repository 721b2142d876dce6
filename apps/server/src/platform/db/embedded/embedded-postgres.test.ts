import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canReach } from './account.ts';
import { type EmbeddedPostgres, type PostgresConnection, startEmbeddedPostgres } from './embedded-postgres.ts';
import { AlreadyRunning } from './instance-lock.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { postgresProcessesIn, processState } from './processes.ts';

const asRoot = process.getuid?.() === 0;
const onLinux = process.platform === 'linux';
const fixture = fileURLToPath(new URL('embedded-postgres.fixture.ts', import.meta.url));

let dataDir: string;
const running: { stop(): Promise<unknown> }[] = [];

beforeEach(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'callout-embedded-')));
  await chmod(dataDir, 0o711);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((started) => started.stop()));
  await endDatabaseIn(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(folder = dataDir, settings: Record<string, string> = { fsync: 'off' }, log: string[] = []): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: (line) => log.push(line), settings });
  running.push(postgres);
  return postgres;
}

async function query<Row extends pg.QueryResultRow>(connection: PostgresConnection, text: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Callout as a process of its own; answers with its first line. */
async function startProcess(url = '', identity: { uid?: number; gid?: number } = {}): Promise<{ said: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [fixture, dataDir, url], { ...identity, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push({ stop: async () => (child.exitCode === null && child.signalCode === null ? kill(child) : undefined) });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { said: chunk.toString().trim(), process: child };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function postmasterPid(folder = dataDir): Promise<number> {
  const file = await readPostmasterFile(join(folder, 'postgres'));
  if (!file) throw new Error('No database is running');
  return file.pid;
}

async function endDatabaseIn(folder: string): Promise<void> {
  const file = await readPostmasterFile(join(folder, 'postgres'));
  if (!file || processState(file.pid) !== 'running' || file.pid === process.pid) return;
  process.kill(file.pid, 'SIGQUIT');
  await vi.waitUntil(() => processState(file.pid) !== 'running', { timeout: 10_000 });
}

test('what was written is there after a stop and a second start', async () => {
  const first = await start();
  await query(first.connection, "create table jobs as select 'Boiler' as title");
  await first.stop();
  expect(postgresProcessesIn(join(dataDir, 'postgres'))).toEqual([]);

  const second = await start();
  expect(await query(second.connection, 'select title from jobs')).toEqual([{ title: 'Boiler' }]);
});

test('a commit waits for the disk unless a test asks otherwise, and pages carry checksums', async () => {
  const { connection } = await start(dataDir, {});
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

test('text keeps its letters and sorts the same everywhere', async () => {
  const { connection } = await start();
  expect(await query(connection, `select lower('ÄŠ') as small, 'b' < 'Ä' as by_code_point, 'Müller' ilike '%MÜLL%' as found`)).toEqual([
    { small: 'äš', by_code_point: true, found: true },
  ]);
});

test('only the account of the database may enter the folder of its socket', async () => {
  const { connection } = await start();
  expect((await lstat(connection.host)).mode & 0o777).toBe(0o700);
});

test('a second start is told who works on the data, and leaves it alone', async () => {
  const first = await start();
  await first.announce('http://localhost:3000');
  const before = await postmasterPid();

  const second = await start().catch((error: unknown) => error);

  expect(second).toBeInstanceOf(AlreadyRunning);
  expect(second).toMatchObject({ pid: process.pid, url: 'http://localhost:3000' });
  expect(await postmasterPid()).toBe(before);
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of two first starts at the same moment one wins and one is told so', async () => {
  const outcomes = await Promise.all([startProcess(), startProcess(), startProcess()]);

  const said = outcomes.map((outcome) => outcome.said);
  expect(said.filter((line) => line.startsWith('up '))).toHaveLength(1);
  expect(said.filter((line) => line.startsWith('failed Callout is already running'))).toHaveLength(2);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
});

test('after Callout is killed the next start takes over the database that lives on', async () => {
  const killed = await startProcess();
  const orphan = await postmasterPid();
  await kill(killed.process);

  const next = await start();

  expect(await postmasterPid()).toBe(orphan);
  expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await next.stop();
  expect(processState(orphan)).not.toBe('running');
});

test('a database that is killed comes back with everything that was committed, and stays ours', async () => {
  const log: string[] = [];
  const { connection } = await start(dataDir, {}, log);
  await query(connection, 'create table jobs as select generate_series(1, 100) as number');
  process.kill(await postmasterPid(), 'SIGKILL');

  await vi.waitUntil(() => log.includes('The database is back.'), { timeout: 20_000 });

  expect(await query(connection, 'select count(*)::int as jobs from jobs')).toEqual([{ jobs: 100 }]);
  await expect(start()).rejects.toBeInstanceOf(AlreadyRunning);
});

test('a database that an earlier Callout started comes back too', async () => {
  const killed = await startProcess();
  await kill(killed.process);
  const log: string[] = [];
  const { connection } = await start(dataDir, {}, log);
  for (const pid of postgresProcessesIn(join(dataDir, 'postgres'))) process.kill(pid, 'SIGKILL');

  await vi.waitUntil(() => log.includes('The database is back.'), { timeout: 20_000 });

  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a stop while the database is coming back leaves nothing running', async () => {
  const postgres = await start();
  process.kill(await postmasterPid(), 'SIGKILL');
  await postgres.stop();
  expect(postgresProcessesIn(join(dataDir, 'postgres'))).toEqual([]);
});

test.runIf(onLinux)('the lock file of a zombie does not keep the database from starting', async () => {
  const first = await start();
  await first.stop();
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const zombie = Number(line.toString());
  await vi.waitUntil(() => processState(zombie) === 'zombie', { timeout: 5000 });
  await leaveLockFilesOf(zombie, first.connection.host);

  const second = await start();

  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  parent.kill('SIGKILL');
});

test('a lock file whose number now belongs to an unrelated process is not believed', async () => {
  const first = await start();
  await first.stop();
  await leaveLockFilesOf(process.pid, first.connection.host);
  const second = await start();
  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

async function leaveLockFilesOf(pid: number, socketDir: string): Promise<void> {
  const { uid, gid } = await lstat(join(dataDir, 'postgres'));
  const text = `${pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n${socketDir}\n\n  1234  5678\nready   \n`;
  for (const file of [join(dataDir, 'postgres', 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
    await writeFile(file, text, { mode: 0o600 });
    await chown(file, uid, gid);
  }
}

test('a first start that was killed half way leaves nothing in the way', async () => {
  const half = join(dataDir, 'postgres.new-abc123');
  await mkdir(half);
  await writeFile(join(half, 'PG_VERSION'), '18\n');
  await start();
  expect(await readdir(dataDir)).not.toContain('postgres.new-abc123');
});

test('files that are not a database are refused and kept', async () => {
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'Dear customer');
  await expect(start()).rejects.toThrow('holds files but no database');
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['letter.txt']);
});

test('a database of another PostgreSQL is refused with its number', async () => {
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n');
  await expect(start()).rejects.toThrow('was made by PostgreSQL 14');
});

test('a setting that PostgreSQL refuses is named in the error', async () => {
  await expect(start(dataDir, { shared_buffers: 'plenty' })).rejects.toThrow(/does not start: .*shared_buffers/);
});

test('a data folder whose path is too long for a socket works', async () => {
  const deep = join(dataDir, 'a folder with a name '.repeat(4), 'and, another "one"'.repeat(2));
  await mkdir(deep, { recursive: true });
  const postgres = await start(deep);
  expect(postgres.connection.host).not.toContain('folder');
  expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a path with blanks, quotes and commas works', async () => {
  const odd = join(dataDir, `Dave's "own", data`);
  const postgres = await start(odd);
  expect(postgres.connection.host).toBe(join(odd, 'run'));
  expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('errors in the log do not carry the data of customers', async () => {
  const log: string[] = [];
  const { connection, stop } = await start(dataDir, { fsync: 'off' }, log);
  await query(connection, 'create table people (email text primary key)');
  const twice = query(connection, "insert into people values ('jo@example.com'), ('jo@example.com')");
  await expect(twice).rejects.toThrow('duplicate key');
  await stop();
  expect(log.join('\n')).toContain('duplicate key');
  expect(log.join('\n') + (await readFile(join(dataDir, 'postgres.log'), 'utf8'))).not.toContain('jo@example.com');
});

test.runIf(asRoot && onLinux)('root may keep the data below a folder that only root may enter', async () => {
  const home = join(dataDir, 'home');
  await mkdir(home, { mode: 0o700 });
  const postgres = await start(join(home, 'data'));
  await query(postgres.connection, 'create table jobs as select 1 as number');
  process.kill(await postmasterPid(join(home, 'data')), 'SIGKILL');
  await expect.poll(() => query(postgres.connection, 'select number from jobs'), { timeout: 20_000 }).toEqual([{ number: 1 }]);
});

test.runIf(asRoot && canReach({ uid: 1, gid: 1 }, fixture.replace(/[^/]+$/, '')))(
  'an ordinary user runs it, and root later leaves it theirs',
  async () => {
    await chown(dataDir, 1, 1);
    const ordinary = await startProcess('', { uid: 1, gid: 1 });
    expect(ordinary.said).toMatch(/^up /);
    ordinary.process.kill('SIGTERM');
    await once(ordinary.process, 'exit');
    const root = await start();
    await root.stop();
    expect((await lstat(join(dataDir, 'postgres'))).uid).toBe(1);
    expect((await startProcess('', { uid: 1, gid: 1 })).said).toMatch(/^up /);
  },
);

test.runIf(asRoot)('data that root has made is refused to an ordinary user in a clear sentence', async () => {
  await (await start()).stop();
  await chown(dataDir, 1, 1);
  expect((await startProcess('', { uid: 1, gid: 1 })).said).toMatch(/^failed The database in .* belongs to another account/);
});
