import type pg from 'pg';
import { BACKUP_LOCK } from './advisory-locks.ts';

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
