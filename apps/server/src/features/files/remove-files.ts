import { HOUR_MS } from '@callout/domain/time/time-units';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { runInTransaction } from '../../platform/db/transaction.ts';
import { createInvalidInputFailure } from '../../platform/errors/failures.ts';
import { buildFileKey, type FileStore, parseFileKey } from '../../platform/files/file-store.ts';
import {
  deleteOwnedFiles,
  deleteUnattachedFiles,
  listUnattachedFiles,
  lockAndListMissingFileIds,
  replaceFiles,
} from '../../platform/files/files.sql.ts';
import type { FileOwner } from '../../platform/files/files.table.ts';
import { defineTask } from '../../platform/queue/task.ts';

export interface FileRemovalServices {
  readonly files: FileStore;
  readonly pool: pg.Pool;
}

/** Removes a file's bytes after its row has been deleted. */
export const removeFileTask = defineTask<{ key: string }>('remove-file');

export const removeCompanyFilesTask = defineTask<{ company_id: string }>('remove-company-files');

/** Deletes the given records' files: rows now, bytes after this transaction commits. Requires the records' locks. */
export async function removeRecordFiles(scope: TenantScope, kind: FileOwner['kind'], ownerIds: readonly string[]): Promise<void> {
  const ids = await deleteOwnedFiles(scope, kind, ownerIds);
  await removeFileTask.queueEach(
    scope,
    ids.map((id) => ({ key: buildFileKey(scope.companyId, id) })),
  );
}

/** Sets a record's files to `ids`, in this order, and removes its other files. Requires the record's lock. */
export async function setRecordFiles(scope: TenantScope, owner: FileOwner, ids: readonly string[]): Promise<void> {
  const removedIds = await replaceFiles(scope, owner, ids);
  if (!removedIds) throw createInvalidInputFailure({ attachment_ids: 'A file is missing. Please add it again.' });
  await removeFileTask.queueEach(
    scope,
    removedIds.map((id) => ({ key: buildFileKey(scope.companyId, id) })),
  );
}

/** Removes the given files unless they are attached to a record, and returns the number of removed files. */
export async function removeUnattachedFiles(services: FileRemovalServices, companyId: string, ids: readonly string[]): Promise<number> {
  const deleted = await runInTransaction(services.pool, (client) => deleteUnattachedFiles(client, companyId, ids));
  await removeOrphanedBytes(
    services,
    deleted.map((id) => buildFileKey(companyId, id)),
  );
  return deleted.length;
}

/** Few enough to be removed while the company's uploads wait. */
const KEY_BATCH_SIZE = 50;

/**
 * Removes the bytes under those `keys` that have no file row, and returns how many were removed. Locks the company's file usage, so that a
 * concurrent upload retry can't lose its bytes. Keeps an unknown company's bytes, because this may be the wrong database.
 */
export async function removeOrphanedBytes({ files, pool }: FileRemovalServices, keys: readonly string[]): Promise<number> {
  let removed = 0;
  const parsedKeys = keys.flatMap((key) => parseFileKey(key) ?? []);
  for (const [companyId, companyKeys] of Map.groupBy(parsedKeys, (key) => key.companyId)) {
    const ids = companyKeys.map(({ id }) => id);
    removed += await runInTransaction(pool, async (client) => {
      const missing = await lockAndListMissingFileIds(client, companyId, ids);
      await files.remove(missing.map((id) => buildFileKey(companyId, id)));
      return missing.length;
    });
  }
  return removed;
}

type FileSweepServices = FileRemovalServices & { readonly log: Logger };

const MIN_UNATTACHED_UPTIME_MS = 6 * HOUR_MS;

/** Creates a sweep that removes unattached files only after hours of uptime, because every upload looks old if the clock jumps ahead. */
export function createUnattachedFileSweep(services: FileSweepServices, uptimeMs: () => number): (before: Date) => Promise<void> {
  const { pool, log } = services;
  let seenAtMs = new Map<string, number>();
  return async (before) => {
    const found = await listUnattachedFiles(pool, before);
    // Keep the time when each file was first seen. Files that have since been attached or deleted drop out.
    seenAtMs = new Map(found.map(({ companyId, id }) => buildFileKey(companyId, id)).map((key) => [key, seenAtMs.get(key) ?? uptimeMs()]));
    const isDue = (key: string) => uptimeMs() - (seenAtMs.get(key) ?? Number.POSITIVE_INFINITY) >= MIN_UNATTACHED_UPTIME_MS;
    const due = found.filter(({ companyId, id }) => isDue(buildFileKey(companyId, id)));
    let unattached = 0;
    for (const [companyId, files] of Map.groupBy(due, (file) => file.companyId)) {
      const ids = files.map(({ id }) => id);
      unattached += await removeUnattachedFiles(services, companyId, ids);
    }
    if (unattached > 0) log.info({ part: 'files', unattached }, 'Removed unattached files');
  };
}

/** Removes bytes stored before `before` that have no file row because a commit failed or the server was killed. */
export async function sweepOrphanedBytes(services: FileSweepServices, before: Date): Promise<void> {
  let removed = 0;
  let keys: string[] = [];
  const removeBatch = async () => {
    removed += await removeOrphanedBytes(services, keys);
    keys = [];
  };
  for await (const key of services.files.listKeysBefore(before)) {
    keys.push(key);
    if (keys.length === KEY_BATCH_SIZE) await removeBatch();
  }
  await removeBatch();
  if (removed > 0) services.log.info({ part: 'files', removed }, 'Removed orphaned file bytes');
}
