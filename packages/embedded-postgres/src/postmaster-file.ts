import { readFileSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isPostgresOf, postgresProcessesIn, processState } from './processes.ts';

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
  const [pid, , , port, socketDir, , , status] = text.split('\n');
  // A single-user run writes its pid as a negative number.
  const number = Math.abs(Number.parseInt(pid ?? '', 10));
  if (!(number > 0)) return undefined;
  return { pid: number, port: Number(port), socketDir: socketDir ?? '', ready: status?.trim() === 'ready' };
}

export function postmasterLives(clusterDir: string, { pid }: PostmasterFile): boolean {
  return processState(pid) === 'running' && isPostgresOf(pid, clusterDir);
}

/**
 * PostgreSQL itself replaces the file of a process that is gone, but refuses to start while the pid answers: a zombie's does, and so
 * does that of an unrelated process after the machine was restarted.
 */
export async function clearFileOfTheDead(clusterDir: string, dead: PostmasterFile): Promise<void> {
  if (processState(dead.pid) === 'gone') return;
  await orphansGone(clusterDir);
  if (!(await removeIfStillOf(dead.pid, join(clusterDir, NAME)))) return;
  await removeIfStillOf(dead.pid, join(dead.socketDir, `.s.PGSQL.${dead.port}.lock`));
}

/** Backends outlive a killed postmaster until they notice; while one lives, the cluster is in use. */
export async function orphansGone(clusterDir: string): Promise<void> {
  for (let tries = 0; tries < 200 && postgresProcessesIn(clusterDir).length > 0; tries += 1) await pause(50);
}

/** Takes the file aside before looking at it again: a quicker start may have put its own in place meanwhile. */
async function removeIfStillOf(pid: number, file: string): Promise<boolean> {
  const aside = `${file}.of-${pid}-seen-by-${process.pid}`;
  if (Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10) !== pid) return false;
  await rename(file, aside);
  if (Number.parseInt(readFileSync(aside, 'utf8'), 10) === pid) {
    await rm(aside, { force: true });
    return true;
  }
  await rename(aside, file);
  return false;
}
