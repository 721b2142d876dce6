import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { canReach } from './account.ts';
import { type DataFolder, makeDataFolder, query } from './data-folder.fixture.ts';
import { removeTemporaryFiles } from './data-folder.ts';
import { listPostgresProcesses } from './processes.ts';

const asRoot = process.getuid?.() === 0;
const onLinux = process.platform === 'linux';

let folder: DataFolder;

beforeEach(async () => {
  folder = await makeDataFolder();
});

afterEach(() => folder.remove());

test('preserves text and sorts it the same everywhere', async () => {
  const { connection } = await folder.start();
  expect(await query(connection, `select lower('ÄŠ') as small, 'b' < 'Ä' as by_code_point, 'Müller' ilike '%MÜLL%' as found`)).toEqual([
    { small: 'äš', by_code_point: true, found: true },
  ]);
});

test('lets one of several simultaneous first starts win and tells the others', async () => {
  const outcomes = await Promise.all([folder.startProcess(), folder.startProcess(), folder.startProcess()]);

  const output = outcomes.map((outcome) => outcome.output);
  expect(output.filter((line) => line.startsWith('up'))).toHaveLength(1);
  expect(output.filter((line) => line.startsWith('failed Example is already running'))).toHaveLength(2);
  expect((await readdir(folder.path)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
});

test('cleans up after a first start that was killed midway', async () => {
  const temporary = join(folder.path, 'postgres.new-abc123');
  await mkdir(temporary);
  await writeFile(join(temporary, 'PG_VERSION'), '18\n');
  await folder.start();
  expect(await readdir(folder.path)).not.toContain('postgres.new-abc123');
});

test.runIf(onLinux)('removes what a start that has lost is still writing', async () => {
  const temporary = join(folder.path, 'postgres.new-abc123');
  await mkdir(temporary);
  const losing = spawn('sh', ['-c', 'i=0; while [ $i -lt 20000 ]; do : > $i || exit; i=$((i+1)); done'], {
    cwd: temporary,
    stdio: 'ignore',
  });
  await expect.poll(() => readdir(temporary)).not.toEqual([]);
  await removeTemporaryFiles(folder.path);
  expect(await readdir(folder.path)).toEqual([]);
  losing.kill('SIGKILL');
});

test('refuses and keeps files that are not a database', async () => {
  await mkdir(folder.clusterDir);
  await writeFile(join(folder.clusterDir, 'letter.txt'), 'Dear customer');
  await expect(folder.start()).rejects.toThrow('holds files but no database');
  expect(await readdir(folder.clusterDir)).toEqual(['letter.txt']);
});

test('refuses a database of another PostgreSQL version and names it', async () => {
  await mkdir(folder.clusterDir);
  await writeFile(join(folder.clusterDir, 'PG_VERSION'), '14\n');
  await expect(folder.start()).rejects.toThrow('was made by PostgreSQL 14');
});

test('works in a data folder whose path is too long for a socket', async () => {
  const postgres = await folder.start({ below: join('a folder with a name '.repeat(4), 'and, another "one"'.repeat(2)) });
  expect(postgres.connection.host).not.toContain('folder');
  expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('works in a path with spaces, quotes and commas', async () => {
  const below = `Dave's "own", data`;
  const postgres = await folder.start({ below });
  expect(postgres.connection.host).toBe(join(folder.path, below, 'run'));
  expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(asRoot && onLinux)('lets root keep the data below a folder that only root can enter', async () => {
  await chmod(folder.path, 0o700);
  const postgres = await folder.start({ below: 'data' });
  expect(postgres.connection.host).not.toContain(folder.path);
  await query(postgres.connection, 'create table jobs as select 1 as number');
  for (const pid of listPostgresProcesses(join(folder.path, 'data', 'postgres'))) process.kill(pid, 'SIGKILL');
  await expect.poll(() => query(postgres.connection, 'select number from jobs'), { timeout: 20_000 }).toEqual([{ number: 1 }]);
});

test.runIf(asRoot && canReach({ uid: 1, gid: 1 }, import.meta.dirname))(
  'runs as an ordinary user, whose ownership a later start as root preserves',
  async () => {
    await chown(folder.path, 1, 1);
    const ordinary = await folder.startProcess({ uid: 1, gid: 1 });
    expect(ordinary.output).toMatch(/^up/);
    ordinary.process.kill('SIGTERM');
    await once(ordinary.process, 'exit');
    const root = await folder.start();
    await root.stop();
    expect((await lstat(folder.clusterDir)).uid).toBe(1);
    expect((await folder.startProcess({ uid: 1, gid: 1 })).output).toMatch(/^up/);
  },
);

test.runIf(asRoot)('starts a backup that root has copied back', async () => {
  await (await folder.start()).stop();
  const backup = join(folder.path, 'backup');
  await cp(folder.clusterDir, join(backup, 'postgres'), { recursive: true });
  const { connection } = await folder.start({ below: 'backup' });
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('refuses a file as data folder in one sentence', async () => {
  await writeFile(join(folder.path, 'file'), '');
  await expect(folder.start({ below: 'file' })).rejects.toThrow(/^The data folder .* can't be written to/);
});

test.runIf(asRoot && canReach({ uid: 1, gid: 1 }, import.meta.dirname))(
  'refuses an ordinary user data that root has made, in one sentence',
  async () => {
    await (await folder.start()).stop();
    await chown(folder.path, 1, 1);
    const refused = (await folder.startProcess({ uid: 1, gid: 1 })).output;
    expect(refused).toMatch(/^failed The database in .* belongs to another account/);

    // The suggested command helps.
    const [, command = ''] = /sudo (chown .*)$/.exec(refused) ?? [];
    execFileSync('sh', ['-c', command.replace('$(id -u)', '1')]);
    expect((await folder.startProcess({ uid: 1, gid: 1 })).output).toBe('up');
    expect((await lstat(folder.path)).mode & 0o777).toBe(0o700);
  },
);
