import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { tryToConnect } from './connection-attempt.fixture.ts';
import { copyCluster, createDataFolder, runQuery, type TestDataFolder } from './data-folder.fixture.ts';
import type { PostgresConnection } from './embedded-postgres.ts';
import { AlreadyRunningError } from './errors.ts';
import { createLegacyCluster, startLegacyServer } from './legacy-cluster.fixture.ts';

let template: TestDataFolder;
let folder: TestDataFolder;

beforeAll(async () => {
  template = await createDataFolder();
  await createLegacyCluster(template);
  const { connection, child } = await startLegacyServer(template);
  await runQuery(connection, "create table jobs as select 'Boiler' as title");
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
});

beforeEach(async () => {
  folder = await createDataFolder();
  copyCluster(template, folder);
});

afterEach(() => folder.remove());
afterAll(() => template.remove());

/** Expects intact data and a database that requires the password. */
async function expectSecured(connection: PostgresConnection): Promise<void> {
  expect(await runQuery(connection, 'select title from jobs')).toEqual([{ title: 'Boiler' }]);
  await vi.waitUntil(async () => (await tryToConnect({ ...connection, password: 'guess' })) === 'refused', { timeout: 10_000 });
  expect(await tryToConnect({ ...connection, password: undefined })).toBe('refused');
  expect(await readFile(join(folder.clusterDir, 'pg_hba.conf'), 'utf8')).not.toContain('trust');
}

const PASSWORD = 'created-by-a-killed-start';
const writePassword = () => writeFile(join(folder.path, 'postgres.password'), PASSWORD, { mode: 0o600 });

test('secures a cluster without a password at the next start and keeps its data', async () => {
  const first = await folder.start();
  await expectSecured(first.connection);
  await first.stop();

  const second = await folder.start();
  expect(second.connection.password).toBe(first.connection.password);
  await expectSecured(second.connection);
});

test('secures a running database without a password, without restarting it', async () => {
  await startLegacyServer(folder);
  const pidBefore = await folder.readPostmasterPid();

  const { connection } = await folder.start();

  expect(await folder.readPostmasterPid()).toBe(pidBefore);
  await expectSecured(connection);
});

test('finishes a startup that was interrupted after creating the password', async () => {
  await writePassword();
  const { connection } = await folder.start();
  expect(connection.password).toBe(PASSWORD);
  await expectSecured(connection);
});

test('finishes a startup that was interrupted before securing the running database', async () => {
  const { connection } = await startLegacyServer(folder);
  await writePassword();
  await runQuery(connection, `alter role ${pg.escapeIdentifier(connection.user)} password '${PASSWORD}'`);
  const started = await folder.start();
  expect(started.connection.password).toBe(PASSWORD);
  await expectSecured(started.connection);
});

test('finishes a startup that was interrupted before the database reloaded its access rules', async () => {
  // The new rules are on disk, but the running database still uses the old rules.
  const rules = join(folder.clusterDir, 'pg_hba.conf');
  const oldRules = await readFile(rules);
  const secured = await folder.start();
  await secured.stop();
  const newRules = await readFile(rules);
  await writeFile(rules, oldRules);
  const { connection } = await startLegacyServer(folder);
  await writeFile(rules, newRules);
  expect(await tryToConnect({ ...connection, password: 'guess' })).toBe('connected');

  await expectSecured((await folder.start()).connection);
});

test('leaves the database unchanged while an earlier version of the app is using it', async () => {
  const { connection } = await startLegacyServer(folder);
  const running = new pg.Client({ ...connection, database: 'postgres', application_name: `example ${process.pid} http://localhost:3000` });
  await running.connect();
  await running.query('select pg_advisory_lock($1)', [0x63616c6c]);
  const rules = await readFile(join(folder.clusterDir, 'pg_hba.conf'), 'utf8');

  const second = await folder.start().catch((error: unknown) => error);

  expect(second).toBeInstanceOf(AlreadyRunningError);
  expect(second).toMatchObject({ pid: process.pid, url: 'http://localhost:3000' });
  expect(await readFile(join(folder.clusterDir, 'pg_hba.conf'), 'utf8')).toBe(rules);
  expect(await runQuery(connection, `select from pg_roles where rolname = 'lock_holder'`)).toEqual([]);
  expect(await tryToConnect(connection)).toBe('connected');
  await running.end();
});

test('lets only one of three concurrent starts use a cluster without a password', async () => {
  const outcomes = await Promise.all([folder.startProcess(), folder.startProcess(), folder.startProcess()]);
  expect(outcomes.map(({ output }) => output.replace(/ on the data in .*/, '')).toSorted()).toEqual([
    'failed Example is already running',
    'failed Example is already running',
    'up',
  ]);
});

test('keeps the data if the password file is lost or belongs to another cluster', async () => {
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

test('leaves a running database alone if it rejects the password, and explains what to do', async () => {
  const killed = await folder.startProcess();
  killed.process.kill('SIGKILL');
  const pid = await folder.readPostmasterPid();
  await writePassword();

  await expect(folder.start()).rejects.toThrow(
    `does not accept the password in ${join(folder.path, 'postgres.password')}. Stop it with "kill -INT ${pid}"`,
  );

  expect(await folder.readPostmasterPid()).toBe(pid);
});
