import type pg from 'pg';
import { isRetryable } from './database-errors.ts';

/** A deadlock or serialization failure is nobody's fault: the whole command is tried this often before the caller hears of it. */
const MAX_ATTEMPTS = 4;
const BACKOFF_MS = 15;

/** All of it or nothing, for the parts of the server that serve no single company. Work that does more than talk to the database has one attempt. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  attempts = MAX_ATTEMPTS,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await transact(client, () => work(client), attempts);
  } finally {
    client.release();
  }
}

/** Runs the whole work anew, in a new transaction, when it lost against another one. So it must do nothing but talk to this database. */
export async function transact<Result>(client: pg.ClientBase, work: () => Promise<Result>, attempts = MAX_ATTEMPTS): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(client, work);
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
      // Two that met once must not meet again in the same step.
      await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * attempt * (1 + Math.random())));
    }
  }
}

async function runOnce<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    const { command } = await client.query('commit');
    // In a transaction that a failed statement has aborted, PostgreSQL answers COMMIT with ROLLBACK and no error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: an error inside it was swallowed');
    return result;
  } catch (error) {
    // A dead connection cannot roll back, and need not: the first error is the one to report.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Part of a transaction that may fail without ending it: what it did is undone, and the transaction goes on. */
export async function savepoint<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('savepoint part');
  try {
    const result = await work();
    await client.query('release savepoint part');
    return result;
  } catch (error) {
    // Released as well, or a savepoint around this one would go back to it and no further. A dead connection can do neither.
    await client.query('rollback to savepoint part; release savepoint part').catch(() => undefined);
    throw error;
  }
}
