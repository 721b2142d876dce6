import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { resolveAccount, setAccess } from './account.ts';
import { findBinaries } from './binaries.ts';
import { tryToConnect } from './connection-attempt.fixture.ts';
import { type DataFolder, EXAMPLE, query } from './data-folder.fixture.ts';
import { runProgram } from './programs.ts';

/** A cluster of a version without passwords: whoever reaches the socket is the superuser. */
export async function makeLegacyCluster({ path, clusterDir }: DataFolder): Promise<void> {
  const account = await resolveAccount(path, clusterDir, EXAMPLE.appName);
  const binaries = await findBinaries(account, EXAMPLE.appName);
  await mkdir(clusterDir);
  await setAccess(clusterDir, 0o700, account);
  const args = ['-D', clusterDir, '-U', EXAMPLE.superuser, '-E', 'UTF8', '--auth-local=trust', '--auth-host=reject', '--no-sync'];
  const { succeeded, output } = await runProgram(binaries.initdb, args, { clusterDir, account });
  if (!succeeded || !(await readFile(join(clusterDir, 'pg_hba.conf'), 'utf8')).includes('trust')) throw new Error(output);
}

/** A database of such a version that keeps running after its product was killed. */
export async function startLegacyServer({ path, clusterDir }: DataFolder) {
  const account = await resolveAccount(path, clusterDir, EXAMPLE.appName);
  const { postgres } = await findBinaries(account, EXAMPLE.appName);
  const host = join(path, 'run');
  await mkdir(host, { recursive: true });
  await setAccess(host, 0o700, account);
  const args = ['-D', clusterDir, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${host}`, '-c', 'fsync=off'];
  const child = spawn(postgres, args, { ...account, cwd: clusterDir, detached: true, stdio: 'ignore' });
  const connection = { host, port: 5432, user: EXAMPLE.superuser, password: '', database: 'postgres' };
  await vi.waitUntil(async () => (await tryToConnect(connection)) === 'connected', { timeout: 20_000 });
  await query(connection, `create database ${EXAMPLE.database}`).catch(() => undefined);
  return { connection: { ...connection, database: EXAMPLE.database }, child };
}
