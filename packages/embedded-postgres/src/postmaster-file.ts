import { readFileSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Endpoint, LOOPBACK } from './endpoint.ts';
import { isPostgresProcess, listPostgresProcesses, readProcessState } from './processes.ts';

/** What a running PostgreSQL writes about itself into its cluster. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly socketDir: string;
  /** Says of itself that it takes connections; it may have died since. */
  readonly ready: boolean;
}

const NAME = 'postmaster.pid';

export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(clusterDir, NAME), 'utf8').catch(() => '');
  return parse(text);
}

function parse(text: string): PostmasterFile | undefined {
  const [, , , port, socketDir, , , status] = text.split('\n');
  const pid = parsePid(text);
  if (!(pid > 0)) return undefined;
  return { pid, port: Number(port), socketDir: socketDir ?? '', ready: status?.trim() === 'ready' };
}

/** A single-user run writes its pid as a negative number. */
function parsePid(text: string): number {
  return Math.abs(Number.parseInt(text, 10));
}

/** Undefined while the process takes no connections. */
export function endpointOf({ port, socketDir }: PostmasterFile): Endpoint | undefined {
  if (!port) return undefined;
  if (process.platform === 'win32') return { host: LOOPBACK, port };
  return socketDir === '' ? undefined : { host: socketDir, port };
}

export function isPostmasterAlive(clusterDir: string, { pid }: PostmasterFile): boolean {
  return readProcessState(pid) === 'running' && isPostgresProcess(pid, clusterDir);
}

/**
 * PostgreSQL itself replaces the file of a process that is gone, but refuses to start while the pid answers: a zombie's does, and so
 * does that of an unrelated process after the machine was restarted.
 */
export async function removeStaleLockFiles(clusterDir: string, dead: PostmasterFile): Promise<void> {
  if (readProcessState(dead.pid) === 'gone') return;
  await waitForOrphans(clusterDir);
  if (!(await removeLockFile(dead.pid, join(clusterDir, NAME)))) return;
  await removeLockFile(dead.pid, join(dead.socketDir, `.s.PGSQL.${dead.port}.lock`));
}

/** Backends outlive a killed postmaster until they notice; while one lives, the cluster is in use. */
export async function waitForOrphans(clusterDir: string): Promise<void> {
  for (let tries = 0; tries < 200 && listPostgresProcesses(clusterDir).length > 0; tries += 1) await pause(50);
}

/** Renames the file before checking it again: a concurrent start may have replaced it with its own. */
async function removeLockFile(pid: number, file: string): Promise<boolean> {
  const aside = `${file}.of-${pid}-seen-by-${process.pid}`;
  if (parsePid(await readFile(file, 'utf8').catch(() => '')) !== pid) return false;
  await rename(file, aside);
  if (parsePid(readFileSync(aside, 'utf8')) === pid) {
    await rm(aside, { force: true });
    return true;
  }
  await rename(aside, file);
  return false;
}
