import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { tryToConnect } from './connection-attempt.fixture.ts';
import { copyCluster, type DataFolder, makeDataFolder, query } from './data-folder.fixture.ts';
import type { PostgresConnection } from './embedded-postgres.ts';
import { AlreadyRunningError } from './errors.ts';
import { makeLegacyCluster, startLegacyServer } from './legacy-cluster.fixture.ts';

let original: DataFolder;
let folder: DataFolder;

beforeAll(async () => {
  original = await makeDataFolder();
  await makeLegacyCluster(original);
  const { connection, child } = await startLegacyServer(original);
  await query(connection, "create table jobs as select 'Boiler' as title");
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
});

beforeEach(async () => {
  folder = await makeDataFolder();
  copyCluster(original, folder);
});

afterEach(() => folder.remove());
afterAll(() => original.remove());

/** All data is there, and only the password gives access. */
async function expectSecured(connection: PostgresConnection): Promise<void> {
  expect(await query(connection, 'select title from jobs')).toEqual([{ title: 'Boiler' }]);
  await vi.waitUntil(async () => (await tryToConnect({ ...connection, password: 'guess' })) === 'refused', { timeout: 10_000 });
  expect(await tryToConnect({ ...connection, password: undefined })).toBe('refused');
  expect(await readFile(join(folder.clusterDir, 'pg_hba.conf'), 'utf8')).not.toContain('trust');
}

const PASSWORD = 'made-by-a-start-that-was-killed';
const writePassword = () => writeFile(join(folder.path, 'postgres.password'), PASSWORD, { mode: 0o600 });

test('a cluster without a password gets one at the next start and loses nothing', async () => {
  const first = await folder.start();
  await expectSecured(first.connection);
  await first.stop();

  const second = await folder.start();
  expect(second.connection.password).toBe(first.connection.password);
  await expectSecured(second.connection);
});

test('a running database without a password, left by a killed process, gets one without a restart', async () => {
  await startLegacyServer(folder);
  const before = await folder.postmasterPid();

  const { connection } = await folder.start();

  expect(await folder.postmasterPid()).toBe(before);
  await expectSecured(connection);
});

test('a start killed after creating the password is completed by the next one', async () => {
  await writePassword();
  const { connection } = await folder.start();
  expect(connection.password).toBe(PASSWORD);
  await expectSecured(connection);
});

test('a start killed before securing the running database is completed by the next one', async () => {
  const { connection } = await startLegacyServer(folder);
  await writePassword();
  await query(connection, `alter role ${pg.escapeIdentifier(connection.user)} password '${PASSWORD}'`);
  const started = await folder.start();
  expect(started.connection.password).toBe(PASSWORD);
  await expectSecured(started.connection);
});

test('a start killed before the running database has reloaded its rules is completed by the next one', async () => {
  // The rules as a start writes them, with a database that still uses the old ones.
  const rules = join(folder.clusterDir, 'pg_hba.conf');
  const old = await readFile(rules);
  const secured = await folder.start();
  await secured.stop();
  const written = await readFile(rules);
  await writeFile(rules, old);
  const { connection } = await startLegacyServer(folder);
  await writeFile(rules, written);
  expect(await tryToConnect({ ...connection, password: 'guess' })).toBe('connected');

  await expectSecured((await folder.start()).connection);
});

test('a running product of an earlier version keeps its database unchanged', async () => {
  const { connection } = await startLegacyServer(folder);
  const running = new pg.Client({ ...connection, database: 'postgres', application_name: `example ${process.pid} http://localhost:3000` });
  await running.connect();
  await running.query('select pg_advisory_lock($1)', [0x63616c6c]);
  const rules = await readFile(join(folder.clusterDir, 'pg_hba.conf'), 'utf8');

  const second = await folder.start().catch((error: unknown) => error);

  expect(second).toBeInstanceOf(AlreadyRunningError);
  expect(second).toMatchObject({ pid: process.pid, url: 'http://localhost:3000' });
  expect(await readFile(join(folder.clusterDir, 'pg_hba.conf'), 'utf8')).toBe(rules);
  expect(await query(connection, `select from pg_roles where rolname = 'lock_holder'`)).toEqual([]);
  expect(await tryToConnect(connection)).toBe('connected');
  await running.end();
});

test('one of three simultaneous starts on a cluster without a password wins and two are told', async () => {
  const outcomes = await Promise.all([folder.startProcess(), folder.startProcess(), folder.startProcess()]);
  expect(outcomes.map(({ output }) => output.replace(/ on the data in .*/, '')).toSorted()).toEqual([
    'failed Example is already running',
    'failed Example is already running',
    'up',
  ]);
});

test('a lost password file, or one of another cluster, does not lose the data', async () => {
  const first = await folder.start();
  await first.stop();
  await rm(join(folder.path, 'postgres.password'));
  const second = await folder.start();
  expect(second.connection.password).not.toBe(first.connection.password);
  await expectSecured(second.connection);
  await second.stop();

  await writePassword();
  await expectSecured((await folder.start()).connection);
});

test('a running database that refuses the password is left alone, and the message says what to do', async () => {
  const killed = await folder.startProcess();
  killed.process.kill('SIGKILL');
  const pid = await folder.postmasterPid();
  await writePassword();

  await expect(folder.start()).rejects.toThrow(
    `does not accept the password in ${join(folder.path, 'postgres.password')}. End it with "kill -INT ${pid}"`,
  );

  expect(await folder.postmasterPid()).toBe(pid);
});
