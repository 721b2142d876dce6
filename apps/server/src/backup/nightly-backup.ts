import { execFile } from 'node:child_process';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import type { NightlyBackupConfig } from '../config.ts';
import { ARCHIVE_NAME, PARTIAL_NAME } from './archive-format.ts';

const PROGRAM = join(import.meta.dirname, 'backup-command.ts');
const DAY_MS = 24 * 60 * 60 * 1000;

export interface NightlyBackupParts {
  readonly nightlyBackup: NightlyBackupConfig;
  /** The server's own: the program reads its settings from it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Logger;
  readonly now: () => Date;
  /** Ends the program when the server stops; what it has written so far is removed. */
  readonly signal?: AbortSignal;
}

/** By the program behind `npm run backup`: the server itself has no connection that sees every row. Throws with the line it failed with. */
export async function runNightlyBackup({ nightlyBackup, environment, log, now, signal }: NightlyBackupParts): Promise<void> {
  const { dir, keep } = nightlyBackup;
  const { stdout, stderr } = await runProgram(dir, environment, signal).catch((error: Error) => {
    log.error({ part: 'backup', reason: error.message }, 'The nightly backup failed');
    throw error;
  });
  for (const line of stderr.split('\n').filter((said) => said.startsWith('Warning: '))) log.warn({ part: 'backup' }, line);
  const deleted = await deleteOldBackups(dir, keep, now());
  log.info({ part: 'backup', deleted }, stdout.trim());
}

async function runProgram(dir: string, env: NodeJS.ProcessEnv, signal: AbortSignal | undefined) {
  try {
    return await promisify(execFile)(process.execPath, [PROGRAM, dir], {
      env,
      maxBuffer: Number.POSITIVE_INFINITY,
      ...(signal && { signal }),
    });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : undefined;
    throw new Error(said || String(error), { cause: error });
  }
}

/** Only once a new one is complete, and only what a backup has named. */
async function deleteOldBackups(dir: string, keep: number, now: Date): Promise<string[]> {
  const names = await readdir(dir);
  const old = names
    .filter((name) => ARCHIVE_NAME.test(name))
    .toSorted()
    .slice(0, -keep);
  for (const name of names.filter((found) => PARTIAL_NAME.test(found))) {
    // Left by a backup that was killed; one that is being written is newer.
    const { mtime } = await stat(join(dir, name));
    if (now.getTime() - mtime.getTime() > DAY_MS) old.push(name);
  }
  for (const name of old) await rm(join(dir, name));
  return old;
}
