import type pg from 'pg';
import { isRetryable } from './database-errors.ts';

/** How often a command is tried after a deadlock or serialization failure before the caller gets the error. */
const MAX_ATTEMPTS = 4;
const BACKOFF_MS = 15;

/** A transaction for code that serves no single company. Allow one attempt for work with side effects outside the database. */
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

/** Retries the work in a new transaction after a conflict, so it must have no effects outside this database. */
export async function transact<Result>(client: pg.ClientBase, work: () => Promise<Result>, attempts = MAX_ATTEMPTS): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(client, work);
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
      // Jitter, so that two conflicting transactions do not collide again.
      await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * attempt * (1 + Math.random())));
    }
  }
}

/** Reads that all see the database as it is at the first of them. */
export const inSnapshot = <Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> =>
  runOnce(client, work, 'begin isolation level repeatable read, read only');

async function runOnce<Result>(client: pg.ClientBase, work: () => Promise<Result>, begin = 'begin'): Promise<Result> {
  await client.query(begin);
  try {
    const result = await work();
    const { command } = await client.query('commit');
    // In a transaction that a failed statement has aborted, PostgreSQL answers COMMIT with ROLLBACK and no error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: an error inside it was swallowed');
    return result;
  } catch (error) {
    // A dead connection cannot and need not roll back; report the first error.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs part of a transaction in a savepoint: if it fails, only that part is rolled back. */
export async function savepoint<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('savepoint part');
  try {
    const result = await work();
    await client.query('release savepoint part');
    return result;
  } catch (error) {
    // Also release it, so that an enclosing savepoint can roll back past it. A dead connection can do neither.
    await client.query('rollback to savepoint part; release savepoint part').catch(() => undefined);
    throw error;
  }
}
