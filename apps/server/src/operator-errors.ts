import { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { DatabaseUnavailableError } from './backup/owner-database.sql.ts';
import { ConfigError, describeDatabaseError } from './config.ts';
import { DatabaseSetupError } from './platform/db/database-logins.ts';

/** Formats an error for the operator: one clear line if the operator can fix it, otherwise the stack trace with its causes. */
export function formatOperatorError(error: unknown): string {
  if (error instanceof ConfigError) return error.lines.join('\n');
  if (error instanceof EmbeddedPostgresError) return describeDatabaseError(error);
  if (error instanceof DatabaseSetupError || error instanceof DatabaseUnavailableError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') return 'The port is already in use. Set PORT to another number.';
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\nCaused by: ${formatOperatorError(error.cause)}`;
}
