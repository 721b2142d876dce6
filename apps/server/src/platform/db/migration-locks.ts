import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isLockTimeout, isTransactionConflict } from './database-errors.ts';
import { DatabaseSetupError } from './database-logins.ts';
import { MIGRATION_LOCK } from './locks.sql.ts';
import type { DatabaseConnection } from './pools.ts';

export interface LockPatience {
  /** How long a statement waits for a lock. Everyone who needs the table waits behind it, so this is the longest pause that people see. */
  readonly lockTimeoutMs: number;
  readonly attempts: number;
  /** The time between two attempts, in which waiting calls get their turn. */
  readonly pauseMs: number;
}

export const DEFAULT_PATIENCE: LockPatience = { lockTimeoutMs: 3_000, attempts: 10, pauseMs: 5_000 };

/** Takes a line about the progress of a migration. */
export type MigrationReporter = (line: string) => void;

export interface MigrationOptions {
  readonly report?: MigrationReporter;
  /** Called with the reason whenever a migration has to wait for someone else. */
  readonly onWait?: MigrationReporter;
  readonly patience?: LockPatience;
  /** Aborting this signal ends the connection, and with it the running migration. */
  readonly signal?: AbortSignal;
}

const LOCK_POLL_INTERVAL_MS = 250;

/** Runs the work on a connection that holds the migration lock, so that of several processes only one migrates. */
export async function withMigrationLock<Result>(
  owner: DatabaseConnection,
  { onWait, signal }: MigrationOptions,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const client = new pg.Client({ ...owner, application_name: 'callout_migrations', keepAlive: true });
  // Without a listener, a lost connection would crash the process. The pending statement fails anyway and reports the error.
  client.on('error', () => undefined);
  const end = () => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', end);
  try {
    await client.connect();
    // A limit that the operator set for all statements must not end an index build.
    await client.query('set statement_timeout = 0');
    await acquireMigrationLock(client, onWait);
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', end);
    await client.end().catch(() => undefined);
  }
}

/** Polls for the lock. A statement that waits for it would hold a snapshot, and the holder's index builds wait until all snapshots end. */
async function acquireMigrationLock(client: pg.Client, onWait: MigrationReporter | undefined): Promise<void> {
  const tryLock = async () =>
    (await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [MIGRATION_LOCK])).rows[0]?.taken === true;
  if (await tryLock()) return;
  onWait?.('Waiting for another migration to finish.');
  do await pause(LOCK_POLL_INTERVAL_MS);
  while (!(await tryLock()));
}

interface MigrationStep {
  /** The subject of messages about the step. */
  readonly name: string;
  readonly owner: DatabaseConnection;
  readonly client: pg.Client;
  readonly options: MigrationOptions;
  /** Leaves nothing behind if it fails. */
  readonly run: (patience: LockPatience) => Promise<void>;
}

/** Runs the step, and again after a pause if it waited too long for a lock or lost a deadlock. Finally fails with who holds the lock. */
export async function runWithRetries({ name, owner, client, options, run }: MigrationStep): Promise<void> {
  const patience = options.patience ?? DEFAULT_PATIENCE;
  const pid = await readProcessId(client);
  for (let attempt = 1; ; attempt += 1) {
    const watch = new AbortController();
    const watching = watchForBlocker(owner, pid, patience.lockTimeoutMs / 3, watch.signal);
    try {
      return await run(patience);
    } catch (error) {
      if (!isLockTimeout(error) && !isTransactionConflict(error)) throw error;
      watch.abort();
      const reason = describeBlocker(await watching);
      if (attempt >= patience.attempts)
        throw new DatabaseSetupError(
          `${name} was undone after ${attempt} attempts, because ${reason}. Run "npm run migrate" again when that has ended.`,
          { cause: error },
        );
      options.onWait?.(`${name} has to wait, because ${reason}. Trying again in ${patience.pauseMs / 1000} s.`);
      await pause(patience.pauseMs, undefined, { signal: options.signal });
    } finally {
      watch.abort();
      await watching;
    }
  }
}

async function readProcessId(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

interface Blocker {
  readonly application: string | null;
  readonly seconds: number | null;
}

/** Looks for the session that blocks the process until the signal is aborted, and returns the last one found. */
async function watchForBlocker(
  owner: DatabaseConnection,
  pid: number,
  intervalMs: number,
  signal: AbortSignal,
): Promise<Blocker | undefined> {
  const waitForNext = () => pause(intervalMs, true, { signal }).catch(() => false);
  // Most migrations have ended by then, and need no second connection.
  if (!(await waitForNext())) return undefined;
  const client = new pg.Client({ ...owner, application_name: 'callout_migrations' });
  client.on('error', () => undefined);
  let blocker: Blocker | undefined;
  try {
    await client.connect();
    do blocker = (await findBlocker(client, pid)) ?? blocker;
    while (await waitForNext());
  } catch {
    // The reason is only for the message, so the migration goes on without it.
  } finally {
    await client.end().catch(() => undefined);
  }
  return blocker;
}

async function findBlocker(client: pg.Client, pid: number): Promise<Blocker | undefined> {
  const { rows } = await client.query<Blocker>(
    `select nullif(application_name, '') as application, extract(epoch from clock_timestamp() - xact_start)::integer as seconds
      from pg_stat_activity where pid = any (pg_blocking_pids($1)) order by xact_start limit 1`,
    [pid],
  );
  return rows[0];
}

function describeBlocker(blocker: Blocker | undefined): string {
  if (!blocker) return 'another transaction holds a lock';
  const age = blocker.seconds === null ? '' : ` that began ${blocker.seconds} s ago`;
  return `a transaction of ${blocker.application ?? 'an unnamed program'}${age} holds a lock`;
}
