import { DrizzleQueryError } from 'drizzle-orm';
import pino, { type DestinationStream, type Logger } from 'pino';

const SECRETS = [
  'password',
  '*.password',
  'token',
  '*.token',
  'headers.cookie',
  'headers.authorization',
  '*.headers.cookie',
  '*.headers.authorization',
];

/** Lines are buffered for at most this long: writing them one by one costs a tenth of a call.
 * If nothing reads the log, lines are dropped beyond a few megabytes. */
const BUFFERED = { sync: false, minLength: 4096, periodicFlush: 100, maxLength: 4 * 1024 * 1024 };

/** JSON lines on standard error: standard output stays for people. Errors carry type, message and stack, never a query's values. */
export function createLog(level: string, destination: DestinationStream = pino.destination({ dest: 2, ...BUFFERED })): Logger {
  return pino(
    { level, base: null, redact: SECRETS, serializers: { err: serializeError }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}

function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = error.cause === undefined ? undefined : serializeError(error.cause);
  const code = 'code' in error ? error.code : undefined;
  const message = messageOf(error);
  return { type: error.name, message, code, stack: error.stack?.replace(error.message, () => message), cause };
}

/** A failed query is reported with its parameters, which are what people typed. */
function messageOf(error: Error): string {
  return error instanceof DrizzleQueryError ? `Failed query: ${error.query}` : error.message;
}
