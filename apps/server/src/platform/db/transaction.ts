import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { requireTimeLeft } from '../limits/call-deadline.ts';
import { getConnectionShares } from './connection-shares.ts';
import { createStatementTimeout, isLockTimeout, isTransactionConflict } from './database-errors.ts';

/** Number of attempts at a transaction that deadlocks or fails to serialize, before the caller gets the error. */
const MAX_ATTEMPTS = 4;
/** A lock that took too long once may be free the second time. Each attempt waits for up to `LOCK_TIMEOUT_MS`. */
const MAX_LOCK_ATTEMPTS = 2;
const RETRY_DELAY_MS = 15;
/** With synchronous replication, COMMIT waits for a second server, and none of PostgreSQL's timeouts ends that wait. */
const COMMIT_TIMEOUT_MS = 8_000;
/** PostgreSQL's code for a notice that isn't a warning. */
const NO_WARNING = '00000';

/** Runs a transaction that isn't limited to one company. Use a single attempt for work with side effects outside the database. */
export function runInTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  attempts = MAX_ATTEMPTS,
): Promise<Result> {
  // Only the total is limited, so that session lookups never wait for transactions. No company has to share with another.
  return getConnectionShares(pool).transactions.run(randomUUID(), async () => {
    const client = await pool.connect();
    try {
      return await runTransactionWithRetries(client, () => work(client), { attempts });
    } finally {
      releaseAfterNotices(client);
    }
  });
}

/** Gives the connection back once it has sent its notices. Closing the pool waits for them. */
export function releaseAfterNotices(client: pg.PoolClient): void {
  const sending = sendingNotices.get(client);
  sendingNotices.delete(client);
  if (sending) void sending.then(() => client.release());
  else client.release();
}

type TransactionWork<Result> = (begun: readonly pg.QueryResult[]) => Promise<Result>;

/** Statements that cost no round trip of their own. */
interface TransactionStatements<Result> {
  /** Begins the transaction. Further statements follow it. */
  readonly begin?: string;
  /** Builds the statement that is sent together with the commit, or null for none. */
  readonly buildLastStatement?: (result: Result) => string | null;
}

/**
 * Retries the work in a new transaction after a conflict, or once after a lock timeout. It must have no side effects outside this database. It
 * gets the results of the statements in `begin`.
 */
export async function runTransactionWithRetries<Result>(
  client: pg.ClientBase,
  work: TransactionWork<Result>,
  { attempts = MAX_ATTEMPTS, ...statements }: TransactionStatements<Result> & { readonly attempts?: number } = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransactionOnce(client, work, statements);
    } catch (error) {
      const limit = isLockTimeout(error) ? MAX_LOCK_ATTEMPTS : isTransactionConflict(error) ? MAX_ATTEMPTS : 1;
      if (attempt >= Math.min(attempts, limit)) throw error;
      // Jitter keeps two conflicting transactions from colliding again.
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * attempt * (1 + Math.random())));
    }
  }
}

/** Runs the work in a snapshot: all its reads see the database as it was at the first read. */
export const runInSnapshot = <Result>(client: pg.ClientBase, work: () => Promise<Result>, firstStatement: string): Promise<Result> =>
  runTransactionOnce(client, work, { begin: `begin isolation level repeatable read, read only; ${firstStatement}` });

async function runTransactionOnce<Result>(
  client: pg.ClientBase,
  work: TransactionWork<Result>,
  { begin = 'begin', buildLastStatement }: TransactionStatements<Result>,
): Promise<Result> {
  const notices: Notice[] = [];
  heldNotices.set(client, notices);
  try {
    requireTimeLeft();
    const begun: pg.QueryResult | pg.QueryResult[] = await client.query(begin);
    const result = await work([begun].flat());
    requireTimeLeft();
    await commit(client, buildLastStatement?.(result) ?? null);
    // Don't wait: the caller's answer doesn't depend on it. If this process is killed now, pages of other processes refetch once it is back.
    if (notices.length > 0)
      sendingNotices.set(
        client,
        sendNotices(client, notices).catch(() => undefined),
      );
    return result;
  } catch (error) {
    // Ignore a failed rollback. PostgreSQL rolls back a lost connection anyway, and the first error is the one to report.
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    heldNotices.delete(client);
  }
}

async function commit(client: pg.ClientBase, lastStatement: string | null): Promise<void> {
  let isUnconfirmed = false;
  const watchNotices = (notice: { readonly code?: string | undefined }) => {
    isUnconfirmed ||= notice.code !== NO_WARNING;
  };
  client.on('notice', watchNotices);
  // Fails the statement below like any lost connection. A retry with the same id waits for the transaction, which stays open until then.
  const timeout = setTimeout(() => (client as ClientWithConnection).connection.stream.destroy(), COMMIT_TIMEOUT_MS);
  try {
    const results: pg.QueryResult | pg.QueryResult[] = await client.query(lastStatement === null ? 'commit' : `${lastStatement}; commit`);
    // After a failed statement, PostgreSQL answers COMMIT by rolling back, without an error, so check which command it ran.
    if ([results].flat().at(-1)?.command !== 'COMMIT')
      throw new Error('The transaction was rolled back because an error inside it was swallowed');
  } finally {
    clearTimeout(timeout);
    client.off('notice', watchNotices);
  }
  // If an operator or a shutdown ends the wait for a second server, PostgreSQL commits with a mere warning, and a failover would lose the
  // change. The command is reported as failed; sent again, it waits for the second server, too.
  if (isUnconfirmed) throw createStatementTimeout('No second database server has confirmed the commit');
}

type ClientWithConnection = pg.ClientBase & { readonly connection: pg.Connection };

/** A message to every process that listens to the channel. */
interface Notice {
  readonly channel: string;
  readonly payload: string;
}

/** The notices of each running transaction, which are sent once it has committed. */
const heldNotices = new WeakMap<object, Notice[]>();
/** The notices of committed transactions that each connection is sending. */
const sendingNotices = new WeakMap<object, Promise<void>>();

/** Sends the notice once the client's transaction commits, or immediately if none is running. */
export async function sendNoticeOnCommit(client: pg.ClientBase | pg.Pool, notice: Notice): Promise<void> {
  const notices = heldNotices.get(client);
  if (notices) notices.push(notice);
  else await sendNotices(client, [notice]);
}

/**
 * Sends the notices in a transaction of their own. PostgreSQL runs the commits of transactions with notices one after another, each until it
 * is on disk. This one has nothing to write to disk, so it neither waits nor keeps others waiting.
 */
async function sendNotices(client: pg.ClientBase | pg.Pool, notices: readonly Notice[]): Promise<void> {
  await client.query({
    name: 'send-notices',
    text: `select set_config('synchronous_commit', 'off', true), pg_notify(n.channel, n.payload) from json_to_recordset($1) as n (channel text, payload text)`,
    values: [JSON.stringify(notices)],
  });
}

/** Runs part of a transaction in a savepoint. If that part fails, only its own changes are rolled back. */
export async function runInSavepoint<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('savepoint part');
  const notices = heldNotices.get(client);
  const noticesBefore = notices?.length ?? 0;
  try {
    const result = await work();
    await client.query('release savepoint part');
    return result;
  } catch (error) {
    // All savepoints share a name, so release this one, or an outer one couldn't roll back. This fails only on a lost connection.
    await client.query('rollback to savepoint part; release savepoint part').catch(() => undefined);
    notices?.splice(noticesBefore);
    throw error;
  }
}
