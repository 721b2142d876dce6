import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { formatFileSize } from '@callout/domain/files/file-size';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { Logger } from 'pino';
import type { NightlyBackupConfig } from '../config.ts';
import { ARCHIVE_NAME_PATTERN, buildArchiveName, INCOMPLETE_NAME_PATTERN, PARTIAL_NAME_PATTERN } from './archive-format.ts';

const BACKUP_PROGRAM_PATH = join(import.meta.dirname, 'commands.ts');

export interface NightlyBackupOptions {
  readonly nightlyBackup: NightlyBackupConfig;
  /** Disk space that must stay free for the database. */
  readonly minFreeBytes: number;
  /** Environment of the backup program, which reads its settings from these variables. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Logger;
  readonly now: () => Date;
  /** Aborted when the server shuts down, which stops the backup and removes the partial archive. */
  readonly signal?: AbortSignal;
}

/** Runs `npm run backup` in a child process, because the server's own connections can't read every row. Throws the program's error. */
export async function runNightlyBackup(options: NightlyBackupOptions): Promise<void> {
  const { nightlyBackup, minFreeBytes, environment, log, now, signal } = options;
  const { dir, keepCount } = nightlyBackup;
  const existingNames = await listArchives(dir);
  const backup = requireFreeSpace(dir, existingNames.at(-1), minFreeBytes).then(() => runBackupProgram(dir, environment, signal));
  const { stdout } = await backup.catch(async (error: Error) => {
    log.error({ part: 'backup', reason: error.message }, 'The nightly backup failed');
    await deleteOldIncompleteBackups(dir);
    throw error;
  });
  const deleted = await deleteOldBackups(dir, { existingNames, keepCount, now: now() });
  log.info({ part: 'backup', deleted }, stdout.trim());
}

async function runBackupProgram(dir: string, env: NodeJS.ProcessEnv, signal: AbortSignal | undefined) {
  try {
    return await promisify(execFile)(process.execPath, [BACKUP_PROGRAM_PATH, 'backup', dir], {
      env,
      maxBuffer: Number.POSITIVE_INFINITY,
      ...(signal && { signal }),
    });
  } catch (error) {
    const lastLine = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : undefined;
    throw new Error(lastLine || String(error), { cause: error });
  }
}

/** Lists the archives in `dir`, oldest first. Returns none if `dir` can't be read, because the backup program will report the problem. */
async function listArchives(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => ARCHIVE_NAME_PATTERN.test(name)).toSorted();
}

/** Throws if there is too little free space, assuming that the new backup will be about as large as the last one. */
async function requireFreeSpace(dir: string, newest: string | undefined, minFreeBytes: number): Promise<void> {
  const disk = await mkdir(dir, { recursive: true }).then(
    () => statfs(dir),
    // Ignore problems with the folder, because the backup program will report them.
    () => undefined,
  );
  if (!disk) return;
  const free = disk.bavail * disk.bsize;
  const needed = newest === undefined ? 0 : (await stat(join(dir, newest))).size;
  if (free >= minFreeBytes + needed) return;
  const sizes = `${formatFileSize(free)} is free, but the backup needs about ${formatFileSize(needed)}`;
  throw new Error(`${dir} is nearly full: ${sizes} and ${formatFileSize(minFreeBytes)} must stay free. No backup was taken.`);
}

/** Keeps only the newest incomplete archive: older bytes are in the complete ones, which are never deleted while backups fail. */
async function deleteOldIncompleteBackups(dir: string): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  const incomplete = names.filter((name) => INCOMPLETE_NAME_PATTERN.test(name)).toSorted();
  for (const name of incomplete.slice(0, -1)) await rm(join(dir, name), { force: true });
}

interface RetentionOptions {
  /** Names of the archives that existed before the new backup. */
  readonly existingNames: readonly string[];
  readonly keepCount: number;
  readonly now: Date;
}

/** Keeps `keepCount` archives. Deletes those dated in the future first, but never the new backup, even if the clock was set back. */
async function deleteOldBackups(dir: string, { existingNames, keepCount, now }: RetentionOptions): Promise<string[]> {
  const isFuture = (name: string) => name > buildArchiveName(now);
  const written = (await listArchives(dir)).filter((name) => !existingNames.includes(name));
  const old = [...existingNames.filter(isFuture), ...existingNames.filter((name) => !isFuture(name)), ...written].slice(0, -keepCount);
  for (const name of (await readdir(dir)).filter((found) => PARTIAL_NAME_PATTERN.test(found))) {
    // A partial archive that hasn't changed for a day was left by a killed backup, so delete it.
    const { mtime } = await stat(join(dir, name));
    if (now.getTime() - mtime.getTime() > DAY_MS) old.push(name);
  }
  for (const name of old) await rm(join(dir, name), { force: true });
  return old;
}
