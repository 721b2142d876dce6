import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { ConfigError, type DataConfig, describeDatabaseError, readDataConfig } from '../config.ts';
import { folderStore } from '../platform/files/file-store.ts';
import { archiveName } from './archive-format.ts';
import { BackupError, type Progress } from './backup-messages.ts';
import { NoDatabase, openOwnerDatabase } from './owner-database.sql.ts';
import { restoreBackup } from './restore-backup.ts';
import { takeBackup } from './take-backup.ts';

interface CommandParts {
  readonly config: DataConfig;
  /** The path that was typed. */
  readonly path: string | undefined;
  readonly progress: Progress;
  /** Aborted to stop the command, which then cleans up. */
  readonly signal: AbortSignal;
}

async function backup({ config, path, progress, signal }: CommandParts): Promise<string> {
  const takenAt = new Date();
  const target = targetOf(path ?? 'backups', archiveName(takenAt));
  const database = await openOwnerDatabase({ ...config, create: false });
  // A waiting statement, such as for another backup's lock, does not react to the signal.
  signal.addEventListener('abort', () => void database.close());
  try {
    const files = folderStore(join(config.dataDir, 'files'), randomUUID);
    return await takeBackup({ client: database.client, files, target, takenAt, progress, signal });
  } finally {
    await database.close();
  }
}

/** A path with the archive's extension is the archive; anything else is its folder. */
function targetOf(given: string, name: string): string {
  const path = resolve(given);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? !/\.(tar\.gz|tgz)$/.test(path);
  return isFolder ? join(path, name) : path;
}

async function restore({ config, path, progress, signal }: CommandParts): Promise<string> {
  if (path === undefined) throw new BackupError('Say which backup to restore: npm run restore <archive>');
  const openDatabase = () => openOwnerDatabase({ ...config, create: true });
  const result = await restoreBackup({ archive: path, dataDir: config.dataDir, openDatabase, progress, signal });
  return `${result} The session secret is not in a backup: everybody signs in again.`;
}

/** Progress goes to stderr, the one-line result to stdout; a failure prints one line and exits with code 1. */
async function runCommand(name: string | undefined, path: string | undefined): Promise<void> {
  const stopping = new AbortController();
  const stop = () => (stopping.signal.aborted ? process.exit(1) : stopping.abort());
  // The launcher was killed and can't pass a signal on.
  process.on('SIGINT', stop).on('SIGTERM', stop).once('disconnect', stop);
  try {
    const config = readDataConfig(process.env);
    const command = name === 'restore' ? restore : backup;
    const result = await command({ config, path, progress: printLine, signal: stopping.signal });
    process.stdout.write(`${result}\n`);
  } catch (error) {
    printLine(isStop(error, stopping.signal) ? 'Stopped: nothing was kept.' : messageOf(error));
    process.exitCode = 1;
  }
  // Otherwise the IPC channel to the launcher would keep the process alive.
  process.disconnect?.();
}

const LOST_CONNECTION = /^Connection terminated/;

/** An aborted command fails with an abort error, or with a lost connection that was closed to stop it. */
function isStop(error: unknown, { aborted }: AbortSignal): boolean {
  return aborted && error instanceof Error && (error.name === 'AbortError' || LOST_CONNECTION.test(error.message));
}

function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** One clear line for what a person can mend, the whole error for what only we can. */
function messageOf(error: unknown): string {
  if (error instanceof ConfigError) return error.lines.join('\n');
  if (error instanceof EmbeddedPostgresError) return describeDatabaseError(error);
  if (error instanceof BackupError || error instanceof NoDatabase) return error.message;
  if (!(error instanceof Error)) return String(error);
  // PostgreSQL's own message, such as a full disk or a missing privilege; a lost connection has no severity.
  if ('severity' in error || LOST_CONNECTION.test(error.message)) return `The database failed: ${error.message}`;
  return 'syscall' in error ? `Failed: ${error.message}` : (error.stack ?? error.message);
}

const [, , name, path] = process.argv;
await runCommand(name, path);
