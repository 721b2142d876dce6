/**
 * All advisory locks in the application's database, so that no two get the same key. A key is never changed: a process of an earlier
 * version may hold it.
 */

/** One process migrates, the others wait. */
export const MIGRATION_LOCK = 7_312_001;

/** A backup holds it exclusively, whoever removes the bytes of a file shares it. */
export const BACKUP_LOCK = 7_312_002;

/** Held by a worker of the queue for its life; the key is the 64-bit hash of this and its id. */
export const WORKER_LOCK_PREFIX = 'callout worker ';
