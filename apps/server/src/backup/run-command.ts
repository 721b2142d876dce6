import { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { ConfigError, type DataConfig, readDataConfig } from '../config.ts';
import { describeDatabaseError } from '../embedded-database.ts';
import { BackupError, type Progress } from './backup-messages.ts';
import { NoDatabase } from './owner-database.sql.ts';

export interface CommandParts {
  readonly config: DataConfig;
  /** What was typed behind the command. */
  readonly argument: string | undefined;
  readonly progress: Progress;
  /** Aborted when the command is to stop; what it has begun is undone. */
  readonly signal: AbortSignal;
}

/** Progress goes to stderr, the one line of the result to stdout, and a failure is one line and exit code 1. */
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
  // Else the channel to the launcher would keep us alive.
  process.disconnect?.();
}

const LOST_CONNECTION = /^Connection terminated/;

/** What was aborted says so, or lost its connection, which was closed to end it. */
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
  // The database's own words, such as a full disk or a missing right; a lost connection has no severity.
  if ('severity' in error || LOST_CONNECTION.test(error.message)) return `The database failed: ${error.message}`;
  return 'syscall' in error ? `Failed: ${error.message}` : (error.stack ?? error.message);
}
