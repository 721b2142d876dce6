import { chown, lstat, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataFolder, EXAMPLE, killProcess, makeDataFolder, query } from './data-folder.fixture.ts';
import { findRunningPostgres } from './embedded-postgres.ts';

let folder: DataFolder;

beforeEach(async () => {
  folder = await makeDataFolder();
});

afterEach(() => folder.remove());

const find = () => findRunningPostgres({ ...EXAMPLE, dataDir: folder.path });

test('finds the connection of a running database without taking it from its process', async () => {
  const running = await folder.startProcess();

  const connection = await find();

  if (!connection) throw new Error('No running database was found');
  expect(connection).toMatchObject({ host: join(folder.path, 'run'), port: 5432, user: 'example', database: 'example' });
  expect(await query(connection, 'select current_user as name')).toEqual([{ name: 'example' }]);
  expect(running.process.exitCode).toBeNull();

  // One that keeps running after its process was killed is found too, and can still be taken over.
  await killProcess(running.process);
  expect(await find()).toEqual(connection);
  expect((await folder.start()).connection).toEqual(connection);
});

test('finds nothing where no database runs, and creates nothing there', async () => {
  expect(await find()).toBeUndefined();
  expect(await findRunningPostgres({ ...EXAMPLE, dataDir: join(folder.path, 'missing') })).toBeUndefined();
  await expect(lstat(join(folder.path, 'missing'))).rejects.toThrow('ENOENT');

  const { connection, stop } = await folder.start();
  await stop();
  expect(await find()).toBeUndefined();

  // The file that a killed database leaves behind, whose process id now belongs to another process.
  const file = join(folder.clusterDir, 'postmaster.pid');
  const { uid, gid } = await lstat(folder.clusterDir);
  await writeFile(file, `${process.pid}\n${folder.clusterDir}\n1700000000\n5432\n${connection.host}\n\n  1234  5678\nready   \n`);
  await chown(file, uid, gid);
  expect(await find()).toBeUndefined();
});

test('reports a running database whose password file is missing in one sentence', async () => {
  await folder.start();
  await rm(join(folder.path, 'postgres.password'));
  await expect(find()).rejects.toThrow(/^A database runs on .*postgres\.password is missing: stop Example and start it once/);
});
