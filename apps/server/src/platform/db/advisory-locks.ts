import type pg from 'pg';

/**
 * All advisory locks in the application's database, so that no two get the same key. A key is never changed: a process of an earlier
 * version may hold it.
 */

/** One process migrates, the others wait. */
export const MIGRATION_LOCK = 7_312_001;

/** Exclusive for a backup, shared for removing file contents. */
export const BACKUP_LOCK = 7_312_002;

/** Held by a queue worker while it lives; the key is the 64-bit hash of this prefix and the worker's id. */
export const WORKER_LOCK_PREFIX = 'callout worker ';

/** Thrown when the work cannot run because a backup is running. */
export class BackupRunning extends Error {
  override readonly name = 'BackupRunning';
}

/** For removing file contents: a running backup may have copied the rows but not the files yet. Throws BackupRunning in that case. */
export async function runOutsideBackup(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock_shared($1) as taken', [BACKUP_LOCK]);
    if (!rows[0]?.taken) throw new BackupRunning('A backup is running');
    try {
      await work();
    } finally {
      await client.query('select pg_advisory_unlock_shared($1)', [BACKUP_LOCK]);
    }
  } finally {
    client.release();
  }
}

/** Holds the lock until the connection ends. Waits for another backup and for running removals. */
export async function holdBackupLock(client: pg.Client, onWait: () => void): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [BACKUP_LOCK]);
  if (rows[0]?.taken) return;
  onWait();
  await client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);
}
