import type pg from 'pg';
import { buildFileKey } from '../platform/files/file-store.ts';
import { lockAndListMissingFileIds } from '../platform/files/files.sql.ts';
import type { FileRow } from './snapshot.sql.ts';

/** Switches to the role that can read every company's rows, for the rest of the session. */
export async function assumeSystemRole(client: pg.Client): Promise<void> {
  await client.query('set role callout_system; set row_security = on');
}

/** Returns those of the files that have been deleted since their rows were read. */
export async function listDeletedFiles(client: pg.Client, files: readonly FileRow[]): Promise<FileRow[]> {
  const { rows } = await client.query<{ key: string }>(
    `select f.company_id || '/' || f.id as key from public.files f
      join unnest($1::uuid[], $2::uuid[]) as seen (company_id, id) on f.company_id = seen.company_id and f.id = seen.id`,
    [files.map(({ company_id }) => company_id), files.map(({ id }) => id)],
  );
  const existing = new Set(rows.map(({ key }) => key));
  return files.filter(({ company_id, id }) => !existing.has(buildFileKey(company_id, id)));
}

/**
 * Calls `remove` with the keys of those files that are still deleted. An upload may use the id of a deleted file again, so uploads of the
 * company wait until `remove` returns. If the company is gone, nobody can upload to it.
 */
export async function removeDeletedFiles(
  client: pg.Client,
  files: readonly FileRow[],
  remove: (keys: string[]) => Promise<void>,
): Promise<void> {
  for (const [companyId, companyFiles] of Map.groupBy(files, ({ company_id }) => company_id)) {
    const ids = companyFiles.map(({ id }) => id);
    await client.query('begin');
    try {
      const { rowCount } = await client.query('select from public.companies where company_id = $1', [companyId]);
      const deletedIds = rowCount === 0 ? ids : await lockAndListMissingFileIds(client, companyId, ids);
      await remove(deletedIds.map((id) => buildFileKey(companyId, id)));
    } finally {
      await client.query('commit');
    }
  }
}
