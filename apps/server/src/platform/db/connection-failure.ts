import pg from 'pg';
import type { DatabaseConnection } from './pools.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Returns the reason why the database refuses connections, without the password. Returns null if the database accepts them. */
export async function describeConnectionFailure(connection: DatabaseConnection): Promise<string | null> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A failed connection may also emit an error event, which would crash the process without a listener.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return null;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    // Connecting to a host with several IP addresses fails with an AggregateError, which has no message, so report its first error.
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
    return first instanceof Error ? first.message : error.name;
  }
}
