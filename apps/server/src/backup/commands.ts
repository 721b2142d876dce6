import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DataConfig, readDataConfig } from '../config.ts';
import { formatOperatorError, LOST_CONNECTION_PATTERN } from '../operator-errors.ts';
import { createFileStore, createMoveStores } from '../platform/files/create-file-store.ts';
import { buildArchiveName } from './archive-format.ts';
import { BackupError, type ProgressReporter } from './backup-messages.ts';
import { moveFiles } from './move-files.ts';
import { openOwnerDatabase } from './owner-database.sql.ts';
import { restoreBackup } from './restore-backup.ts';
import { takeBackup } from './take-backup.ts';

interface CommandOptions {
  readonly config: DataConfig;
  /** The command's argument: the archive to create or restore, or the folder for a new archive. */
  readonly path: string | undefined;
  readonly report: ProgressReporter;
  /** Aborting this signal stops the command, which cleans up before it exits. */
  readonly signal: AbortSignal;
}

async function runBackup({ config, path, report, signal }: CommandOptions): Promise<string> {
  const takenAt = new Date();
  const target = resolveTarget(path ?? 'backups', buildArchiveName(takenAt));
  const database = await openOwnerDatabase({ ...config, createIfMissing: false });
  // A statement that waits for a lock, such as another backup's, ignores the signal. Closing the connection ends the statement.
  signal.addEventListener('abort', () => void database.close());
  try {
    const files = await createFileStore(config, () => new Date());
    return await takeBackup({ client: database.client, files, target, takenAt, report, signal });
  } finally {
    await database.close();
  }
}

/** Returns `givenPath`, or `name` inside it if it is a folder. A missing path counts as a folder unless it ends in .tar.gz or .tgz. */
function resolveTarget(givenPath: string, name: string): string {
  const path = resolve(givenPath);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? !/\.(tar\.gz|tgz)$/.test(path);
  return isFolder ? join(path, name) : path;
}

async function runRestore({ config, path, report, signal }: CommandOptions): Promise<string> {
  if (path === undefined) throw new BackupError('Specify the backup to restore: npm run restore <archive>');
  const openDatabase = () => openOwnerDatabase({ ...config, createIfMissing: true });
  const files = await createFileStore(config, () => new Date());
  const result = await restoreBackup({ archive: path, files, dataDir: config.dataDir, openDatabase, report, signal });
  const signIn = "Everyone needs to sign in again, unless this server has the old session secret, which backups don't include.";
  return `${result} ${signIn}${config.databaseUrl === undefined ? '' : ' Now run "npm run migrate", then start.'}`;
}

async function runFilesMove({ config, report, signal }: CommandOptions): Promise<string> {
  const { target, source } = await createMoveStores(config, () => new Date());
  if (!source)
    throw new BackupError('Set FILES_URL to the new store and FILES_FROM_URL to the old one, for every server. Then run this command.');
  const database = await openOwnerDatabase({ ...config, createIfMissing: false });
  try {
    return await moveFiles({ client: database.client, source, target, startedAt: new Date(), report, signal });
  } finally {
    await database.close();
  }
}

const COMMANDS: Readonly<Record<string, (options: CommandOptions) => Promise<string>>> = {
  backup: runBackup,
  restore: runRestore,
  'files-move': runFilesMove,
};

/** Runs the command, with progress on stderr and a one-line result on stdout. On failure, prints the error and exits with code 1. */
async function runCommand(name = 'backup', path: string | undefined): Promise<void> {
  const abortController = new AbortController();
  const stop = () => (abortController.signal.aborted ? process.exit(1) : abortController.abort());
  // A disconnect means that the launcher was killed and can't forward signals, so stop then too.
  process.on('SIGINT', stop).on('SIGTERM', stop).once('disconnect', stop);
  try {
    const config = readDataConfig(process.env);
    const command = COMMANDS[name] ?? runBackup;
    const result = await command({ config, path, report: printLine, signal: abortController.signal });
    process.stdout.write(`${result}\n`);
  } catch (error) {
    printLine(isAbortError(error, abortController.signal) ? 'Stopped. Nothing was saved.' : formatOperatorError(error));
    process.exitCode = 1;
  }
  // Close the IPC channel to the launcher, which would otherwise keep the process alive.
  process.disconnect?.();
}

/** Returns true if aborting the command caused `error`: an AbortError, or a lost connection, because aborting closes it. */
function isAbortError(error: unknown, { aborted }: AbortSignal): boolean {
  return aborted && error instanceof Error && (error.name === 'AbortError' || LOST_CONNECTION_PATTERN.test(error.message));
}

function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

const [, , name, path] = process.argv;
await runCommand(name, path);
