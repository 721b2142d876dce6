import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { AlreadyRunningError, type LockHolder } from './errors.ts';
import { readProcessState } from './processes.ts';

/** An arbitrary key that must never change: a process of an earlier version may hold it. */
const LOCK = 0x63616c6c;
const LOCK_RELEASE_TIMEOUT_MS = 10_000;

/** The application name under which other processes see who holds the lock. PostgreSQL cuts it after 63 bytes. */
export function formatHolder(url?: string): string {
  return ['instance', process.pid, url].filter((part) => part !== undefined).join(' ');
}

/** Held by the connection: however this process dies, the database releases the lock. */
export async function acquireInstanceLock(client: pg.Client, { appName, dataDir }: { appName: string; dataDir: string }): Promise<void> {
  const deadline = Date.now() + LOCK_RELEASE_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
    if (rows[0]?.taken) return;
    const holder = await findLockHolder(client);
    // The database notices the end of a killed process a moment later. A holder we may not see is a start that is being set up.
    const isTransient = holder.pid === undefined || readProcessState(holder.pid) !== 'running';
    if (!isTransient || Date.now() > deadline) throw new AlreadyRunningError(appName, dataDir, holder);
    await pause(50);
  }
}

async function findLockHolder(client: pg.Client): Promise<LockHolder> {
  const { rows } = await client.query<{ application_name: string | null }>(
    `select application_name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and granted and classid = 0 and objid = $1 and database = datid`,
    [LOCK],
  );
  const [, pid, url] = /^\S+ (\d+)(?: (\S+))?/.exec(rows[0]?.application_name ?? '') ?? [];
  return { pid: pid === undefined ? undefined : Number(pid), url };
}
