import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { type EffectContext, getDatabase, MEMBER_LOCK_PREFIX } from './tenant-scope.ts';

/**
 * Every lock has one purpose, and only the removal of a company stops all of its commands. A transaction takes its locks in this order,
 * which prevents deadlocks:
 *
 * 0. the key of a command: `buildCommandLookup`. Only a repeated request waits for it, and holds nothing else yet.
 * 1. the company's row: every command locks it against removal when it begins. Removing the company waits for running commands; changing,
 *    closing and reopening it don't.
 * 2. the number of members, the last admin, invitations and logins: `runTenantTransaction` with 'staff'
 * 3. the acting person's membership: every command of a person locks it against removal when it begins. Removing the person waits for it
 *    (`lockOutMember`).
 * 4. the customer, then staff members, then categories: `lockReferencedRecords`, `lockCustomer`, `lockBookedStaff`,
 *    `lockStaffMemberIfExists`
 * 5. one quote: `lockQuote`
 * 6. one job with its lines, invoices, payments and comments: `lockJob`. Several jobs are locked in the order of their ids.
 * 7. prices (`lockPrices`), then the limit of a list or what exists once per company: `lockCompanyPart` with any other part
 * 8. numbers: the counter's row, taken just before the insert because it is held until the transaction ends. Credit notes before invoices.
 * 9. files: the rows of `files`, then the company's row in `file_usage`
 *
 * Inserts also lock the rows they refer to, but only against deletion. Reads take no locks.
 */

/** Parts of a company that have no row of their own to lock. Its staff, too, but only `runTenantTransaction` locks it, before all others. */
type CompanyPart = 'categories' | 'section templates' | 'own supplier';

/** Locks a part of the company until the transaction ends. */
export async function lockCompanyPart(context: EffectContext, companyId: string, part: CompanyPart): Promise<void> {
  await getDatabase(context).execute(sql`select lock_company_part(${companyId}::uuid, ${part})`);
}

/** All advisory locks are listed here, so that no two share a key. Never change a key: a running older version may still hold the lock. */

/** Lets one process run the migrations while the others wait. */
export const MIGRATION_LOCK = 7_312_001;

/** Held exclusively by a backup, and in shared mode by any task that removes file contents. */
export const BACKUP_LOCK = 7_312_002;

/** Each queue worker holds a lock for as long as it runs. The lock's key is the 64-bit hash of this prefix and the worker's id. */
export const WORKER_LOCK_PREFIX = 'callout worker ';

/**
 * Held in shared mode by transactions that price something at the company's tax rate and currency, and exclusively, by a trigger of
 * migration 0062, by the one that changes them. The lock's key is the 64-bit hash of this prefix and the company's id.
 */
const PRICE_LOCK_PREFIX = 'callout prices ';

/** Keeps the company's tax rate and currency from changing until the transaction ends. Call this before reading them. */
export async function lockPrices(context: EffectContext, companyId: string): Promise<void> {
  const key = `${PRICE_LOCK_PREFIX}${companyId}`;
  await getDatabase(context).execute(sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`);
}

/**
 * Waits for the person's running commands, and keeps further ones waiting until the transaction ends. The row of the membership alone isn't
 * enough: PostgreSQL lets commands that only protect a row overtake the one that waits to remove it, so someone who never stops sending
 * commands could not be removed. Advisory locks are granted in turn.
 */
export async function lockOutMember(context: EffectContext, userId: string): Promise<void> {
  const key = `${MEMBER_LOCK_PREFIX}${userId}`;
  await getDatabase(context).execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

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
