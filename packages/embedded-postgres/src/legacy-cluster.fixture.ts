import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { resolveBinaries } from './binaries.ts';
import { tryToConnect } from './connection-attempt.fixture.ts';
import { EXAMPLE_OPTIONS, runQuery, type TestDataFolder } from './data-folder.fixture.ts';
import { runProgram } from './programs.ts';
import { resolveAccount, setModeAndOwner } from './system-account.ts';

/** Creates a cluster like those of versions without passwords, where anyone who can reach the socket is the superuser. */
export async function createLegacyCluster({ path, clusterDir }: TestDataFolder): Promise<void> {
  const account = await resolveAccount(path, clusterDir, EXAMPLE_OPTIONS.appName);
  const binaries = await resolveBinaries(account, EXAMPLE_OPTIONS.appName);
  await mkdir(clusterDir);
  await setModeAndOwner(clusterDir, 0o700, account);
  const args = ['-D', clusterDir, '-U', EXAMPLE_OPTIONS.superuser, '-E', 'UTF8', '--auth-local=trust', '--auth-host=reject', '--no-sync'];
  const { succeeded, output } = await runProgram(binaries.initdb, args, { clusterDir, account });
  if (!succeeded || !(await readFile(join(clusterDir, 'pg_hba.conf'), 'utf8')).includes('trust')) throw new Error(output);
}

/** Starts a database server as an old app version left it: without a database password, and still running after the app was killed. */
export async function startLegacyServer({ path, clusterDir }: TestDataFolder) {
  const account = await resolveAccount(path, clusterDir, EXAMPLE_OPTIONS.appName);
  const { postgres } = await resolveBinaries(account, EXAMPLE_OPTIONS.appName);
  const host = join(path, 'run');
  await mkdir(host, { recursive: true });
  await setModeAndOwner(host, 0o700, account);
  const args = ['-D', clusterDir, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${host}`, '-c', 'fsync=off'];
  const child = spawn(postgres, args, { ...account, cwd: clusterDir, detached: true, stdio: 'ignore' });
  const connection = { host, port: 5432, user: EXAMPLE_OPTIONS.superuser, password: '', database: 'postgres' };
  await vi.waitUntil(async () => (await tryToConnect(connection)) === 'connected', { timeout: 20_000 });
  await runQuery(connection, `create database ${EXAMPLE_OPTIONS.database}`).catch(() => undefined);
  return { connection: { ...connection, database: EXAMPLE_OPTIONS.database }, child };
}
