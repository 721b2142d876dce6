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

/** JSON lines on standard error: standard output stays for people. Errors carry type, message and stack, never a query's values. */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    { level, base: null, redact: SECRETS, serializers: { err: serializeError }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}

function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = error.cause === undefined ? undefined : serializeError(error.cause);
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: withoutValues(error.message), code, stack: error.stack && withoutValues(error.stack), cause };
}

/** A failed query is reported with its parameters, which are what people typed. */
function withoutValues(text: string): string {
  return text.replace(/\nparams: .*/g, '');
}
