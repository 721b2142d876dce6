import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { AlreadyRunningError, type LockHolder } from './errors.ts';
import { readProcessState } from './processes.ts';

/** An arbitrary key that must never change, because a process of an earlier version may hold the lock. */
const LOCK_KEY = 0x63616c6c;
const LOCK_RELEASE_TIMEOUT_MS = 10_000;

/** Formats the application name by which other processes identify the lock holder. PostgreSQL truncates the name to 63 bytes. */
export function formatApplicationName(url?: string): string {
  return ['instance', process.pid, url].filter((part) => part !== undefined).join(' ');
}

/** Acquires a lock that belongs to the connection, so that the database releases it even if this process is killed. */
export async function acquireInstanceLock(client: pg.Client, { appName, dataDir }: { appName: string; dataDir: string }): Promise<void> {
  const deadline = Date.now() + LOCK_RELEASE_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK_KEY]);
    if (rows[0]?.taken) return;
    const holder = await readLockHolder(client);
    // Wait if the holder was killed, which the database takes a moment to notice, or if it has no pid yet because it is still starting.
    const isTransient = holder.pid === undefined || readProcessState(holder.pid) !== 'running';
    if (!isTransient || Date.now() > deadline) throw new AlreadyRunningError(appName, dataDir, holder);
    await pause(50);
  }
}

async function readLockHolder(client: pg.Client): Promise<LockHolder> {
  const { rows } = await client.query<{ application_name: string | null }>(
    `select application_name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and granted and classid = 0 and objid = $1 and database = datid`,
    [LOCK_KEY],
  );
  const [, pid, url] = /^\S+ (\d+)(?: (\S+))?/.exec(rows[0]?.application_name ?? '') ?? [];
  return { pid: pid === undefined ? undefined : Number(pid), url };
}
