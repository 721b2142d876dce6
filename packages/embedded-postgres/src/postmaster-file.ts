import { readFileSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LOOPBACK_ADDRESS, type PostgresEndpoint } from './endpoint.ts';
import { isPostgresProcess, listPostgresProcesses, readProcessState } from './processes.ts';

/** The contents of postmaster.pid, which a running PostgreSQL writes into its cluster. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly socketDir: string;
  /** Whether the server has reported that it accepts connections. The server may have died since. */
  readonly isReady: boolean;
}

const POSTMASTER_FILE_NAME = 'postmaster.pid';

export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(clusterDir, POSTMASTER_FILE_NAME), 'utf8').catch(() => '');
  return parsePostmasterFile(text);
}

function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const [, , , port, socketDir, , , status] = text.split('\n');
  const pid = parsePid(text);
  if (!(pid > 0)) return undefined;
  return { pid, port: Number(port), socketDir: socketDir ?? '', isReady: status?.trim() === 'ready' };
}

/** Removes the sign, because PostgreSQL writes its pid as a negative number in single-user mode. */
function parsePid(text: string): number {
  return Math.abs(Number.parseInt(text, 10));
}

/** Returns the endpoint of a running server; undefined while the server accepts no connections. */
export function getEndpoint({ port, socketDir }: PostmasterFile): PostgresEndpoint | undefined {
  if (!port) return undefined;
  if (process.platform === 'win32') return { host: LOOPBACK_ADDRESS, port };
  return socketDir === '' ? undefined : { host: socketDir, port };
}

export function isPostmasterAlive(clusterDir: string, { pid }: PostmasterFile): boolean {
  return readProcessState(pid) === 'running' && isPostgresProcess(pid, clusterDir);
}

/**
 * Removes lock files that would block a start. PostgreSQL replaces the lock file of a process that no longer exists, but refuses to start
 * while the pid is in use. A zombie keeps its pid, and after a reboot the pid may belong to an unrelated process.
 */
export async function removeStaleLockFiles(clusterDir: string, stale: PostmasterFile): Promise<void> {
  if (readProcessState(stale.pid) === 'exited') return;
  await waitForOrphanedBackends(clusterDir);
  if (!(await tryToRemoveLockFile(stale.pid, join(clusterDir, POSTMASTER_FILE_NAME)))) return;
  await tryToRemoveLockFile(stale.pid, join(stale.socketDir, `.s.PGSQL.${stale.port}.lock`));
}

/** Waits for the backends of a killed postmaster, which use the cluster until they notice that the postmaster is dead. */
export async function waitForOrphanedBackends(clusterDir: string): Promise<void> {
  for (let tries = 0; tries < 200 && listPostgresProcesses(clusterDir).length > 0; tries += 1) await pause(50);
}

/** Moves the lock file before checking it again, because a concurrent start may have replaced it with its own lock file. */
async function tryToRemoveLockFile(pid: number, file: string): Promise<boolean> {
  const movedFile = `${file}.of-${pid}-seen-by-${process.pid}`;
  if (parsePid(await readFile(file, 'utf8').catch(() => '')) !== pid) return false;
  await rename(file, movedFile);
  if (parsePid(readFileSync(movedFile, 'utf8')) === pid) {
    await rm(movedFile, { force: true });
    return true;
  }
  await rename(movedFile, file);
  return false;
}
