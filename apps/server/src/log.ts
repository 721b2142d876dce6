import { DrizzleQueryError } from 'drizzle-orm';
import pino, { type DestinationStream, type Logger } from 'pino';

const REDACTED_PATHS = [
  'password',
  '*.password',
  'token',
  '*.token',
  'headers.cookie',
  'headers.authorization',
  '*.headers.cookie',
  '*.headers.authorization',
];

/** Lines are buffered for up to 100 ms, because writing each one separately takes a tenth of a call's time.
 * If nothing reads the log, lines are dropped once the buffer is full. */
const BUFFER_OPTIONS = { sync: false, minLength: 4096, periodicFlush: 100, maxLength: 4 * 1024 * 1024 };

/** Logs JSON lines to stderr, which leaves stdout for people. Logged errors contain neither a query's values nor email addresses. */
export function createLogger(level: string, destination: DestinationStream = pino.destination({ dest: 2, ...BUFFER_OPTIONS })): Logger {
  return pino(
    {
      level,
      base: null,
      redact: REDACTED_PATHS,
      serializers: { err: serializeError, reason: maskEmails },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
}

function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = error.cause === undefined ? undefined : serializeError(error.cause);
  const code = 'code' in error ? error.code : undefined;
  const message = getSafeMessage(error);
  return { type: error.name, message, code, stack: error.stack?.replace(error.message, () => message), cause };
}

/** Returns the message without a query's parameters, which may be personal data. Drizzle's own message contains them. */
function getSafeMessage(error: Error): string {
  return error instanceof DrizzleQueryError ? `Failed query: ${error.query}` : maskEmails(error.message);
}

const EMAIL_PATTERN = /[^\s<>"'(),:;@]+@[^\s<>"'(),:;@]+/g;

/** Mail servers repeat the recipient's address in their errors. */
function maskEmails(text: unknown): string {
  return String(text).replaceAll(EMAIL_PATTERN, '[email]');
}
