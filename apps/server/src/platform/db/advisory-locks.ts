import type pg from 'pg';

/** This file lists all advisory locks, so that no two share a key. Never change a key: a running older version may still hold the lock. */

/** Lets one process run the migrations while the others wait. */
export const MIGRATION_LOCK = 7_312_001;

/** Held exclusively by a backup, and in shared mode by any task that removes file contents. */
export const BACKUP_LOCK = 7_312_002;

/** Each queue worker holds a lock for as long as it runs. The lock's key is the 64-bit hash of this prefix and the worker's id. */
export const WORKER_LOCK_PREFIX = 'callout worker ';

/**
 * Held in shared mode by transactions that create something at the company's tax rate and currency, and exclusively, by a trigger of
 * migration 0062, by the one that changes them. The lock's key is the 64-bit hash of this prefix and the company's id.
 */
export const PRICE_LOCK_PREFIX = 'callout prices ';

/** Thrown if a task can't run because a backup is in progress. */
export class BackupRunningError extends Error {
  override readonly name = 'BackupRunningError';
}

/** Runs work that removes file contents. Throws during a backup, which may have copied a file's row but not its contents yet. */
export async function runOutsideBackup(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock_shared($1) as taken', [BACKUP_LOCK]);
    if (!rows[0]?.taken) throw new BackupRunningError('A backup is running');
    try {
      await work();
    } finally {
      await client.query('select pg_advisory_unlock_shared($1)', [BACKUP_LOCK]);
    }
  } finally {
    client.release();
  }
}

/** Locks out other backups and file removals, after waiting for running ones. The lock is released when the connection ends. */
export async function acquireBackupLock(client: pg.Client, onWait: () => void): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [BACKUP_LOCK]);
  if (rows[0]?.taken) return;
  onWait();
  await client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);
}
