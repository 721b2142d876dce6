import pg from 'pg';
import type { DatabaseConnection } from './pools.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Null when the database answers, else why it does not, in words that name no password. */
export async function describeConnectionFailure(connection: DatabaseConnection): Promise<string | null> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that fails in two ways says so twice.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return null;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    // A name with several addresses fails with one error for each, and no message of its own.
    const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
    return first instanceof Error ? first.message : error.name;
  }
}
