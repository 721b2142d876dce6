import pg from 'pg';
import type { DatabaseConnection } from './pools.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Null when the database accepts connections, otherwise the reason, without the password. */
export async function describeConnectionFailure(connection: DatabaseConnection): Promise<string | null> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A failed connection may also emit an error event.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return null;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    // A host name with several IP addresses fails with an AggregateError that has no message.
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
    return first instanceof Error ? first.message : error.name;
  }
}
