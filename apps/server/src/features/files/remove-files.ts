import type pg from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type FileStore, fileKey, parseFileKey } from '../../platform/files/file-store.ts';
import { companiesWithUnattached, deleteUnattached, lockMissingIds } from '../../platform/files/files.sql.ts';
import { defineTask } from '../../platform/queue/task.ts';

export interface RemovalParts {
  readonly files: FileStore;
  readonly pool: pg.Pool;
}

/** Removes the bytes of a file whose row is gone. */
export const removeFile = defineTask<{ key: string }>('remove-file');

/** Of a company that is gone. */
export const removeCompanyFiles = defineTask<{ company_id: string }>('remove-company-files');

const KEYS_AT_ONCE = 500;

/**
 * Removes bytes that no file names, and says how many. Nothing is stored for a company meanwhile: the same upload, sent again at that
 * moment, would lose its bytes. What is of a company that this database does not know stays: it may be the wrong database, and deleting
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

/**
 * Removes what belongs to nobody since before this moment: files that were uploaded and never attached, and bytes without a file, left
 * behind by a commit that failed or a server that was killed.
 */
export async function sweepFiles(parts: RemovalParts & { readonly log: Logger }, before: Date): Promise<void> {
  const { files, pool, log } = parts;
  let unattached = 0;
  for (const companyId of await companiesWithUnattached(pool, before)) {
    const ids = await inTransaction(pool, (client) => deleteUnattached(client, companyId, before));
    unattached += ids.length;
    await removeBytes(
      parts,
      ids.map((id) => fileKey(companyId, id)),
    );
  }
  let withoutFile = 0;
  let keys: string[] = [];
  const removeListed = async () => {
    withoutFile += await removeBytes(parts, keys);
    keys = [];
  };
  for await (const key of files.listOlderThan(before)) {
    keys.push(key);
    if (keys.length === KEYS_AT_ONCE) await removeListed();
  }
  await removeListed();
  if (unattached + withoutFile > 0)
    log.info({ part: 'files', unattached, without_file: withoutFile }, 'Removed files that belong to nobody');
}
