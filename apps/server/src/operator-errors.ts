import { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { BackupError } from './backup/backup-messages.ts';
import { DatabaseUnavailableError } from './backup/owner-database.sql.ts';
import { ConfigError, describeDatabaseError } from './config.ts';
import { DatabaseSetupError } from './platform/db/database-logins.ts';
import { FileStoreError } from './platform/files/file-store.ts';

const EXPECTED_ERRORS = [BackupError, DatabaseSetupError, DatabaseUnavailableError, FileStoreError];
export const LOST_CONNECTION_PATTERN = /^Connection terminated/;

/** Formats an error for the operator: one clear line if the operator can fix it, otherwise the stack trace with its causes. */
export function formatOperatorError(error: unknown): string {
  if (error instanceof ConfigError) return error.lines.join('\n');
  if (error instanceof EmbeddedPostgresError) return describeDatabaseError(error);
  if (EXPECTED_ERRORS.some((expected) => error instanceof expected)) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') return 'The port is already in use. Set PORT to another number.';
  // PostgreSQL's own errors, such as a full disk or a missing privilege, have a severity. A lost connection has only a message.
  if ('severity' in error || LOST_CONNECTION_PATTERN.test(error.message)) return `Database error: ${error.message}`;
  if ('syscall' in error) return `Failed: ${error.message}`;
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\nCaused by: ${formatOperatorError(error.cause)}`;
}
