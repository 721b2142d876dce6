import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileSizeText } from '@callout/domain/files/file-size';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { Logger } from 'pino';
import type { NightlyBackupConfig } from '../config.ts';
import { ARCHIVE_NAME, archiveName, PARTIAL_NAME } from './archive-format.ts';

const PROGRAM = join(import.meta.dirname, 'commands.ts');

export interface NightlyBackupParts {
  readonly nightlyBackup: NightlyBackupConfig;
  /** Disk space to leave free for the database. */
  readonly minFreeBytes: number;
  /** The server's environment, from which the program reads its settings. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Logger;
  readonly now: () => Date;
  /** Stops the program on shutdown; its partial archive is removed. */
  readonly signal?: AbortSignal;
}

/** Runs the `npm run backup` program, because the server has no connection that sees every row. Throws with its error line. */
export async function runNightlyBackup(parts: NightlyBackupParts): Promise<void> {
  const { nightlyBackup, minFreeBytes, environment, log, now, signal } = parts;
  const { dir, keep } = nightlyBackup;
  const before = await listArchives(dir);
  const backup = refuseNearlyFull(dir, before.at(-1), minFreeBytes).then(() => runProgram(dir, environment, signal));
  const { stdout, stderr } = await backup.catch((error: Error) => {
    log.error({ part: 'backup', reason: error.message }, 'The nightly backup failed');
    throw error;
  });
  for (const line of stderr.split('\n').filter((said) => said.startsWith('Warning: '))) log.warn({ part: 'backup' }, line);
  const deleted = await deleteOldBackups(dir, { before, keep, now: now() });
  log.info({ part: 'backup', deleted }, stdout.trim());
}

async function runProgram(dir: string, env: NodeJS.ProcessEnv, signal: AbortSignal | undefined) {
  try {
    return await promisify(execFile)(process.execPath, [PROGRAM, 'backup', dir], {
      env,
      maxBuffer: Number.POSITIVE_INFINITY,
      ...(signal && { signal }),
    });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : undefined;
    throw new Error(said || String(error), { cause: error });
  }
}

/** Sorted by name, so oldest first. Empty if the folder can't be read, which the program reports. */
async function listArchives(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => ARCHIVE_NAME.test(name)).toSorted();
}

/** Expects the backup to be about as large as the last one. */
async function refuseNearlyFull(dir: string, newest: string | undefined, minFreeBytes: number): Promise<void> {
  const disk = await mkdir(dir, { recursive: true }).then(
    () => statfs(dir),
    // The program reports problems with the folder.
    () => undefined,
  );
  if (!disk) return;
  const free = disk.bavail * disk.bsize;
  const needed = newest === undefined ? 0 : (await stat(join(dir, newest))).size;
  if (free >= minFreeBytes + needed) return;
  const sizes = `${fileSizeText(free)} are free, the backup needs about ${fileSizeText(needed)}`;
  throw new Error(`${dir} is nearly full: ${sizes} and ${fileSizeText(minFreeBytes)} are to stay free. Nothing was written.`);
}

interface Retention {
  /** The archives that existed before the new one. */
  readonly before: readonly string[];
  readonly keep: number;
  readonly now: Date;
}

/**
 * Runs only after a new backup is complete and deletes only archives that we named. If the clock was set back, the new one may look old: it is
 * never deleted, and names in the future go first.
 */
async function deleteOldBackups(dir: string, { before, keep, now }: Retention): Promise<string[]> {
  const isFuture = (name: string) => name > archiveName(now);
  const written = (await listArchives(dir)).filter((name) => !before.includes(name));
  const old = [...before.filter(isFuture), ...before.filter((name) => !isFuture(name)), ...written].slice(0, -keep);
  for (const name of (await readdir(dir)).filter((found) => PARTIAL_NAME.test(found))) {
    // Left by a killed backup; one being written is newer.
    const { mtime } = await stat(join(dir, name));
    if (now.getTime() - mtime.getTime() > DAY_MS) old.push(name);
  }
  for (const name of old) await rm(join(dir, name), { force: true });
  return old;
}
