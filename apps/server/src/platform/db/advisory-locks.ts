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
