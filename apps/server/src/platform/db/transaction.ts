import type pg from 'pg';
import { isTransactionConflict } from './database-errors.ts';

/** Number of attempts at a transaction that deadlocks or fails to serialize, before the caller gets the error. */
const MAX_ATTEMPTS = 4;
const RETRY_DELAY_MS = 15;

/** Runs a transaction that isn't limited to one company. Use a single attempt for work with side effects outside the database. */
export async function runInTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  attempts = MAX_ATTEMPTS,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await runTransactionWithRetries(client, () => work(client), attempts);
  } finally {
    client.release();
  }
}

/** Retries the work in a new transaction after a conflict, so the work must have no side effects outside this database. */
export async function runTransactionWithRetries<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
  attempts = MAX_ATTEMPTS,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransactionOnce(client, work);
    } catch (error) {
      if (attempt >= attempts || !isTransactionConflict(error)) throw error;
      // Jitter keeps two conflicting transactions from colliding again.
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * attempt * (1 + Math.random())));
    }
  }
}

/** Runs the work in a snapshot: all its reads see the database as it was at the first read. */
export const runInSnapshot = <Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> =>
  runTransactionOnce(client, work, 'begin isolation level repeatable read, read only');

async function runTransactionOnce<Result>(client: pg.ClientBase, work: () => Promise<Result>, begin = 'begin'): Promise<Result> {
  await client.query(begin);
  try {
    const result = await work();
    const { command } = await client.query('commit');
    // After a failed statement, PostgreSQL answers COMMIT by rolling back, without an error, so check which command it ran.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because an error inside it was swallowed');
    return result;
  } catch (error) {
    // Ignore a failed rollback. PostgreSQL rolls back a lost connection anyway, and the first error is the one to report.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs part of a transaction in a savepoint. If that part fails, only its own changes are rolled back. */
export async function runInSavepoint<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('savepoint part');
  try {
    const result = await work();
    await client.query('release savepoint part');
    return result;
  } catch (error) {
    // All savepoints share a name, so release this one, or an outer one couldn't roll back. This fails only on a lost connection.
    await client.query('rollback to savepoint part; release savepoint part').catch(() => undefined);
    throw error;
  }
}
