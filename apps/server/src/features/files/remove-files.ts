import { HOUR_MS } from '@callout/domain/time/time-units';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { invalidInput } from '../../platform/errors/failures.ts';
import { type FileStore, fileKey, parseFileKey } from '../../platform/files/file-store.ts';
import { deleteFilesOf, deleteUnattached, listUnattached, lockMissingIds, replaceFiles } from '../../platform/files/files.sql.ts';
import type { FileOwner } from '../../platform/files/files.table.ts';
import { defineTask } from '../../platform/queue/task.ts';

export interface RemovalParts {
  readonly files: FileStore;
  readonly pool: pg.Pool;
}

/** Removes the bytes of a file whose row is gone. */
export const removeFile = defineTask<{ key: string }>('remove-file');

/** Of a company that is gone. */
export const removeCompanyFiles = defineTask<{ company_id: string }>('remove-company-files');

/** Deletes the rows of these records' files now and their bytes after this transaction commits. Needs `lockCompany` before. */
export async function removeFilesOf(scope: TenantScope, kind: FileOwner['kind'], ownerIds: readonly string[]): Promise<void> {
  const ids = await deleteFilesOf(scope, kind, ownerIds);
  await removeFile.laterForEach(
    scope,
    ids.map((id) => ({ key: fileKey(scope.companyId, id) })),
  );
}

/** Makes these the files of a record, in this order; those it no longer has are removed. Needs `lockCompany` before. */
export async function storeFilesOf(scope: TenantScope, owner: FileOwner, ids: readonly string[]): Promise<void> {
  const dropped = await replaceFiles(scope, owner, ids);
  if (!dropped) throw invalidInput({ attachment_ids: 'A file is no longer there. Please add it again.' });
  await removeFile.laterForEach(
    scope,
    dropped.map((id) => ({ key: fileKey(scope.companyId, id) })),
  );
}

/** Removes those of these files that no record has taken. */
export async function removeUnattached(parts: RemovalParts, companyId: string, ids: readonly string[]): Promise<number> {
  const deleted = await inTransaction(parts.pool, (client) => deleteUnattached(client, companyId, ids));
  await removeBytes(
    parts,
    deleted.map((id) => fileKey(companyId, id)),
  );
  return deleted.length;
}

const KEYS_AT_ONCE = 500;

/**
 * Removes bytes without a file row and returns how many. The company's files are locked while this runs: the same upload, sent again at that
 * moment, would lose its bytes. Bytes of a company unknown to this database stay: it may be the wrong database, and deleting
 * a company removes its files by itself.
 */
export async function removeBytes({ files, pool }: RemovalParts, keys: readonly string[]): Promise<number> {
  let removed = 0;
  const named = keys.flatMap((key) => parseFileKey(key) ?? []);
  for (const [companyId, ofCompany] of Map.groupBy(named, (key) => key.companyId)) {
    const ids = ofCompany.map(({ id }) => id);
    removed += await inTransaction(pool, async (client) => {
      const missing = await lockMissingIds(client, companyId, ids);
      for (const id of missing) await files.remove(fileKey(companyId, id));
      return missing.length;
    });
  }
  return removed;
}

type SweepParts = RemovalParts & { readonly log: Logger };

const UNATTACHED_UPTIME_MS = 6 * HOUR_MS;

/**
 * Removes files uploaded before a given time and never attached. A jump of the system clock makes every upload look old, so
 * this process must also have seen a file unattached for hours of its own uptime.
 */
export function createUnattachedSweep(parts: SweepParts, uptimeMs: () => number): (before: Date) => Promise<void> {
  const { pool, log } = parts;
  /** The uptime at which each key was first seen. */
  let seen = new Map<string, number>();
  return async (before) => {
    const found = await listUnattached(pool, before);
    // Drop keys that have since been attached or deleted.
    seen = new Map(found.map(({ companyId, id }) => fileKey(companyId, id)).map((key) => [key, seen.get(key) ?? uptimeMs()]));
    const isDue = (key: string) => uptimeMs() - (seen.get(key) ?? Number.POSITIVE_INFINITY) >= UNATTACHED_UPTIME_MS;
    const due = found.filter(({ companyId, id }) => isDue(fileKey(companyId, id)));
    let unattached = 0;
    for (const [companyId, files] of Map.groupBy(due, (file) => file.companyId)) {
      const ids = files.map(({ id }) => id);
      unattached += await removeUnattached(parts, companyId, ids);
    }
    if (unattached > 0) log.info({ part: 'files', unattached }, 'Removed unattached files');
  };
}

/** Removes bytes from before this time without a file row, left by a failed commit or a killed server. */
export async function removeStrayBytes(parts: SweepParts, before: Date): Promise<void> {
  let removed = 0;
  let keys: string[] = [];
  const removeListed = async () => {
    removed += await removeBytes(parts, keys);
    keys = [];
  };
  for await (const key of parts.files.listOlderThan(before)) {
    keys.push(key);
    if (keys.length === KEYS_AT_ONCE) await removeListed();
  }
  await removeListed();
  if (removed > 0) parts.log.info({ part: 'files', removed }, 'Removed stray bytes without a file row');
}
