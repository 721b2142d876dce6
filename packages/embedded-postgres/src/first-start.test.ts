import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDataFolder, killPostgresProcesses, runQuery, type TestDataFolder } from './data-folder.fixture.ts';
import { removeTemporaryFiles } from './data-folder.ts';
import { canAccess } from './system-account.ts';

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';

let folder: TestDataFolder;

beforeEach(async () => {
  folder = await createDataFolder();
});

afterEach(() => folder.remove());

test('handles Unicode text and sorts it by code point', async () => {
  const { connection } = await folder.start();
  expect(await runQuery(connection, `select lower('ÄŠ') as small, 'b' < 'Ä' as by_code_point, 'Müller' ilike '%MÜLL%' as found`)).toEqual([
    { small: 'äš', by_code_point: true, found: true },
  ]);
});

test('lets only one of several concurrent first starts succeed', async () => {
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

test.runIf(isLinux)('removes the files of a concurrent start that lost the race, even while it is still writing them', async () => {
  const temporary = join(folder.path, 'postgres.new-abc123');
  await mkdir(temporary);
  const losingStart = spawn('sh', ['-c', 'i=0; while [ $i -lt 20000 ]; do : > $i || exit; i=$((i+1)); done'], {
    cwd: temporary,
    stdio: 'ignore',
  });
  await expect.poll(() => readdir(temporary)).not.toEqual([]);
  await removeTemporaryFiles(folder.path);
  expect(await readdir(folder.path)).toEqual([]);
  losingStart.kill('SIGKILL');
});

test('rejects a folder that contains other files, and does not delete them', async () => {
  await mkdir(folder.clusterDir);
  await writeFile(join(folder.clusterDir, 'letter.txt'), 'Dear customer');
  await expect(folder.start()).rejects.toThrow('contains files but no database');
  expect(await readdir(folder.clusterDir)).toEqual(['letter.txt']);
});

test('rejects a database of another PostgreSQL version and reports that version', async () => {
  await mkdir(folder.clusterDir);
  await writeFile(join(folder.clusterDir, 'PG_VERSION'), '14\n');
  await expect(folder.start()).rejects.toThrow('was created by PostgreSQL 14');
});

test('works in a data folder whose path is too long for a socket', async () => {
  const postgres = await folder.start({ subfolder: join('a folder with a name '.repeat(4), 'and, another "one"'.repeat(2)) });
  expect(postgres.connection.host).not.toContain('folder');
  expect(await runQuery(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('works in a path with spaces, quotes and commas', async () => {
  const subfolder = `Dave's "own", data`;
  const postgres = await folder.start({ subfolder });
  expect(postgres.connection.host).toBe(join(folder.path, subfolder, 'run'));
  expect(await runQuery(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot && isLinux)('runs when started by root in a folder that only root can enter', async () => {
  await chmod(folder.path, 0o700);
  const postgres = await folder.start({ subfolder: 'data' });
  expect(postgres.connection.host).not.toContain(folder.path);
  await runQuery(postgres.connection, 'create table jobs as select 1 as number');
  killPostgresProcesses(join(folder.path, 'data', 'postgres'));
  await expect.poll(() => runQuery(postgres.connection, 'select number from jobs'), { timeout: 20_000 }).toEqual([{ number: 1 }]);
});

test.runIf(isRoot && canAccess({ uid: 1, gid: 1 }, import.meta.dirname))(
  'runs as an ordinary user, who still owns the data after root has started the database',
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

test.runIf(isRoot)('starts from a backup that root copied back', async () => {
  await (await folder.start()).stop();
  const backup = join(folder.path, 'backup');
  await cp(folder.clusterDir, join(backup, 'postgres'), { recursive: true });
  const { connection } = await folder.start({ subfolder: 'backup' });
  expect(await runQuery(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('rejects a file as the data folder', async () => {
  await writeFile(join(folder.path, 'file'), '');
  await expect(folder.start({ subfolder: 'file' })).rejects.toThrow(/^The data folder .* can't be written to/);
});

test.runIf(isRoot && canAccess({ uid: 1, gid: 1 }, import.meta.dirname))(
  'rejects data that belongs to root when started by an ordinary user, and suggests a command that fixes it',
  async () => {
    await (await folder.start()).stop();
    await chown(folder.path, 1, 1);
    const output = (await folder.startProcess({ uid: 1, gid: 1 })).output;
    expect(output).toMatch(/^failed The database in .* belongs to another account/);

    // The suggested command makes the next start succeed.
    const [, command = ''] = /sudo (chown .*)$/.exec(output) ?? [];
    execFileSync('sh', ['-c', command.replace('$(id -u)', '1')]);
    expect((await folder.startProcess({ uid: 1, gid: 1 })).output).toBe('up');
    expect((await lstat(folder.path)).mode & 0o777).toBe(0o700);
  },
);
