import { chown, lstat, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDataFolder, EXAMPLE_OPTIONS, killProcess, runQuery, type TestDataFolder } from './data-folder.fixture.ts';
import { findRunningPostgres } from './embedded-postgres.ts';

let folder: TestDataFolder;

beforeEach(async () => {
  folder = await createDataFolder();
});

afterEach(() => folder.remove());

const findRunning = () => findRunningPostgres({ ...EXAMPLE_OPTIONS, dataDir: folder.path });

test('finds the connection of a running database without taking it over', async () => {
  const running = await folder.startProcess();

  const connection = await findRunning();

  if (!connection) throw new Error('No running database was found');
  expect(connection).toMatchObject({ host: join(folder.path, 'run'), port: 5432, user: 'example', database: 'example' });
  expect(await runQuery(connection, 'select current_user as name')).toEqual([{ name: 'example' }]);
  expect(running.process.exitCode).toBeNull();

  // A database that kept running after its app was killed is also found, and can still be taken over.
  await killProcess(running.process);
  expect(await findRunning()).toEqual(connection);
  expect((await folder.start()).connection).toEqual(connection);
});

test('returns undefined if no database is running, and creates no files', async () => {
  expect(await findRunning()).toBeUndefined();
  expect(await findRunningPostgres({ ...EXAMPLE_OPTIONS, dataDir: join(folder.path, 'missing') })).toBeUndefined();
  await expect(lstat(join(folder.path, 'missing'))).rejects.toThrow('ENOENT');

  const { connection, stop } = await folder.start();
  await stop();
  expect(await findRunning()).toBeUndefined();

  // Simulate a killed database, which leaves this file behind. The pid in it now belongs to another process.
  const file = join(folder.clusterDir, 'postmaster.pid');
  const { uid, gid } = await lstat(folder.clusterDir);
  await writeFile(file, `${process.pid}\n${folder.clusterDir}\n1700000000\n5432\n${connection.host}\n\n  1234  5678\nready   \n`);
  await chown(file, uid, gid);
  expect(await findRunning()).toBeUndefined();
});

test('reports that the password file of a running database is missing', async () => {
  await folder.start();
  await rm(join(folder.path, 'postgres.password'));
  await expect(findRunning()).rejects.toThrow(/^A database is running on .*postgres\.password is missing\. Restart Example to create it/);
});
