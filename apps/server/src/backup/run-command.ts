import { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { ConfigError, type DataConfig, readDataConfig } from '../config.ts';
import { describeDatabaseError } from '../embedded-database.ts';
import { BackupError, type Progress } from './backup-messages.ts';
import { NoDatabase } from './owner-database.sql.ts';

export interface CommandParts {
  readonly config: DataConfig;
  /** The command's arguments. */
  readonly argument: string | undefined;
  readonly progress: Progress;
  /** Aborted to stop the command, which then cleans up. */
  readonly signal: AbortSignal;
}

/** Progress goes to stderr, the one-line result to stdout; a failure prints one line and exits with code 1. */
export async function runCommand(work: (parts: CommandParts) => Promise<string>): Promise<void> {
  const stopping = new AbortController();
  const stop = () => (stopping.signal.aborted ? process.exit(1) : stopping.abort());
  // The launcher was killed and can't pass a signal on.
  process.on('SIGINT', stop).on('SIGTERM', stop).once('disconnect', stop);
  try {
    const config = readDataConfig(process.env);
    const result = await work({ config, argument: process.argv[2], progress: printLine, signal: stopping.signal });
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
