import { and, eq, inArray, isNull, notInArray, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { getUserId } from '../db/actor.ts';
import { type EffectContext, getDatabase, type TenantScope } from '../db/tenant-scope.ts';
import { type FileOwner, type FilePurpose, files } from './files.table.ts';

export interface StoredFile {
  readonly id: string;
  readonly file_name: string;
  readonly file_size: number;
  readonly file_type: string;
}

const storedFileColumns = { id: files.id, file_name: files.file_name, file_size: files.file_size, file_type: files.file_type };

export async function findFile(scope: TenantScope, id: string): Promise<StoredFile | null> {
  const rows = await scope.db
    .select(storedFileColumns)
    .from(files)
    .where(and(eq(files.company_id, scope.companyId), eq(files.id, id)));
  return rows[0] ?? null;
}

/** Locks the file until the transaction ends, so that neither it nor what is derived from it changes. Returns false if it doesn't exist. */
export async function lockFile(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.company_id, scope.companyId), eq(files.id, id)))
    .for('no key update');
  return rows.length > 0;
}

/** Finds the file only if it belongs to the given record. */
export async function findOwnedFile(scope: TenantScope, owner: FileOwner, id: string): Promise<StoredFile | null> {
  const rows = await scope.db
    .select(storedFileColumns)
    .from(files)
    .where(and(eq(files.company_id, scope.companyId), eq(files.id, id), eq(files.owner_kind, owner.kind), eq(files.owner_id, owner.id)));
  return rows[0] ?? null;
}

export const findThumbnail = (scope: TenantScope, fileId: string) => findDerivedFile(scope, fileId, 'thumbnail');

/** Finds the copy of a photo for people outside the company, which has no location. */
export const findPublicCopy = (scope: TenantScope, fileId: string) => findDerivedFile(scope, fileId, 'public_copy');

async function findDerivedFile(scope: TenantScope, fileId: string, purpose: FilePurpose): Promise<StoredFile | null> {
  const rows = await scope.db
    .select(storedFileColumns)
    .from(files)
    .where(and(eq(files.company_id, scope.companyId), eq(files.owner_id, fileId), eq(files.purpose, purpose)));
  return rows[0] ?? null;
}

export interface FileUsage {
  readonly bytes: number;
  /** Whole days since the company was created. */
  readonly company_age_days: number;
}

export async function readFileUsage(scope: TenantScope): Promise<FileUsage> {
  const { rows } = await scope.db.execute<{ bytes: number; company_age_days: number }>(
    sql`select coalesce(u.bytes, 0)::float8 as bytes,
        floor(extract(epoch from ${scope.now}::timestamptz - c.created_at) / 86400)::int as company_age_days
      from companies c left join file_usage u on u.company_id = c.company_id where c.company_id = ${scope.companyId}`,
  );
  return rows[0] ?? { bytes: 0, company_age_days: 0 };
}

export interface NewFile extends StoredFile {
  readonly purpose: FilePurpose;
  /** Null until the file is attached to a record. */
  readonly owner: FileOwner | null;
}

/** Inserts a file, or returns null if the id is taken. Locks the company's file usage, which the database counts, until the transaction ends. */
export async function insertFile(scope: TenantScope, { owner, ...file }: NewFile): Promise<StoredFile | null> {
  const rows = await scope.db
    .insert(files)
    .values({
      ...file,
      company_id: scope.companyId,
      user_id: getUserId(scope.actor),
      owner_kind: owner?.kind ?? null,
      owner_id: owner?.id ?? null,
      unattached_since: owner ? null : scope.now,
      created_at: scope.now,
    })
    .onConflictDoNothing({ target: [files.company_id, files.id] })
    .returning(storedFileColumns);
  return rows[0] ?? null;
}

/** Attaches unattached files to a record, in the given order. Returns false and attaches none unless all of them can be attached. */
export async function attachFiles(scope: TenantScope, owner: FileOwner, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const found = await scope.db
    .select({ id: files.id })
    .from(files)
    .where(
      and(eq(files.company_id, scope.companyId), inArray(files.id, [...ids]), eq(files.purpose, 'attachment'), isNull(files.owner_kind)),
    )
    .orderBy(files.id)
    .for('update');
  if (found.length < ids.length) return false;
  const order = sql.param(`{${ids.join()}}`);
  await scope.db
    .update(files)
    .set({
      owner_kind: owner.kind,
      owner_id: owner.id,
      owner_position: sql`array_position(${order}::uuid[], ${files.id})`,
      unattached_since: null,
    })
    .where(and(eq(files.company_id, scope.companyId), inArray(files.id, [...ids])));
  return true;
}

/** Builds a subquery that selects a record's attachments as a JSON array, in order. */
export function buildAttachmentsSubquery(owner: { kind: FileOwner['kind']; company_id: PgColumn; id: PgColumn }) {
  return sql<AttachedFile[]>`(select coalesce(json_agg(json_build_object('id', ${files.id}, 'file_name', ${files.file_name},
      'file_size', ${files.file_size}, 'file_type', ${files.file_type}, 'url', '/api/files/' || ${files.id},
      'thumbnail_url', '/api/files/' || ${thumbnails.owner_id} || '/thumbnail') order by ${files.owner_position}), '[]')
    from ${files} left join ${files} as thumbnails on ${thumbnails.company_id} = ${files.company_id} and ${thumbnails.owner_id} = ${files.id}
      and ${thumbnails.purpose} = 'thumbnail'
    where ${files.company_id} = ${owner.company_id} and ${files.owner_kind} = ${sql.raw(`'${owner.kind}'`)} and ${files.owner_id} = ${owner.id})`;
}

const thumbnails = alias(files, 'thumbnails');

export interface AttachedFile extends StoredFile {
  readonly url: string;
  /** Null unless the file is an image. */
  readonly thumbnail_url: string | null;
}

/**
 * Sets a record's files, in the given order. Deletes the rows of removed files and of what was derived from them, and returns their ids. Returns null
 * and changes nothing if a file is missing or belongs to another record. Requires the record's lock.
 */
export async function replaceFiles(scope: TenantScope, owner: FileOwner, ids: readonly string[]): Promise<string[] | null> {
  const isOwned = and(eq(files.company_id, scope.companyId), eq(files.owner_kind, owner.kind), eq(files.owner_id, owner.id));
  const before = await scope.db.select({ id: files.id }).from(files).where(isOwned);
  const previousIds = new Set(before.map(({ id }) => id));
  const added = ids.filter((id) => !previousIds.has(id));
  if (!(await attachFiles(scope, owner, added))) return null;
  const order = sql.param(`{${ids.join()}}`);
  await scope.db
    .update(files)
    .set({ owner_position: sql`array_position(${order}::uuid[], ${files.id})` })
    .where(and(isOwned, inArray(files.id, [...ids])));
  return deleteWithDerivedFiles(scope, scope.companyId, sql`${isOwned} and id <> all (${order}::uuid[])`);
}

/** Deletes files with their thumbnails and public copies, and returns the ids of all. */
async function deleteWithDerivedFiles(context: EffectContext, companyId: string, condition: SQL): Promise<string[]> {
  const db = getDatabase(context);
  // Lock the files in a statement of their own. The next one then sees copies that were stored while this one waited.
  const { rows: chosen } = await db.execute<{ id: string }>(
    sql`select id from files where company_id = ${companyId} and ${condition} order by id for update`,
  );
  if (chosen.length === 0) return [];
  const ids = sql.param(`{${chosen.map(({ id }) => id).join()}}`);
  // A union, because an `or` condition would scan all files.
  const { rows } = await db.execute<{ id: string }>(
    sql`with doomed as (select unnest(${ids}::uuid[]) as id union all
        select id from files where company_id = ${companyId} and owner_kind = 'file' and owner_id = any (${ids}::uuid[]))
      delete from files f using doomed where f.company_id = ${companyId} and f.id = doomed.id returning f.id`,
  );
  return rows.map(({ id }) => id);
}

interface FileSelection {
  /** If omitted, all of the record's files are selected. */
  readonly ids?: readonly string[] | undefined;
  readonly except?: readonly string[];
}

/** Moves files from one record to another. Requires the lock of both. */
export async function reassignFiles(scope: TenantScope, from: FileOwner, to: FileOwner, selection: FileSelection): Promise<void> {
  const { ids, except = [] } = selection;
  await scope.db
    .update(files)
    .set({ owner_kind: to.kind, owner_id: to.id })
    .where(
      and(
        eq(files.company_id, scope.companyId),
        eq(files.owner_kind, from.kind),
        eq(files.owner_id, from.id),
        ids && inArray(files.id, [...ids]),
        notInArray(files.id, [...except]),
      ),
    );
}

/** Returns the ids of the given files that have a thumbnail. */
export async function listIdsWithThumbnail(scope: TenantScope, fileIds: readonly string[]): Promise<Set<string | null>> {
  const rows = await scope.db
    .select({ id: files.owner_id })
    .from(files)
    .where(and(eq(files.company_id, scope.companyId), eq(files.purpose, 'thumbnail'), inArray(files.owner_id, [...fileIds])));
  return new Set(rows.map(({ id }) => id));
}

/** Deletes the given records' files with their thumbnails and public copies, and returns the deleted ids. Requires the records' locks. */
export async function deleteOwnedFiles(scope: TenantScope, kind: FileOwner['kind'], ownerIds: readonly string[]): Promise<string[]> {
  if (ownerIds.length === 0) return [];
  const owners = sql.param(`{${ownerIds.join()}}`);
  return deleteWithDerivedFiles(scope, scope.companyId, sql`owner_kind = ${kind} and owner_id = any (${owners}::uuid[])`);
}

/** Deletes the file and returns its size in bytes, or null if the file doesn't exist. */
export async function deleteFile(scope: TenantScope, id: string): Promise<number | null> {
  const rows = await scope.db
    .delete(files)
    .where(and(eq(files.company_id, scope.companyId), eq(files.id, id)))
    .returning({ file_size: files.file_size });
  return rows[0]?.file_size ?? null;
}

/** Finds a logo or avatar, which anyone with its URL may see. Never finds an attachment or its thumbnail. */
export async function findPublicImage(pool: pg.Pool, id: string): Promise<(StoredFile & { readonly company_id: string }) | null> {
  const { rows } = await pool.query<StoredFile & { company_id: string }>({
    name: 'read-image',
    text: `select f.company_id, f.id, f.file_name, f.file_size::integer as file_size, f.file_type from files f
      join companies c on c.company_id = f.company_id where f.id = $1 and f.purpose in ('logo', 'avatar') and c.deletes_at is null`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Lists all companies' files that have been unattached since before the given time. */
export async function listUnattachedFiles(pool: pg.Pool, before: Date): Promise<{ companyId: string; id: string }[]> {
  const { rows } = await pool.query<{ companyId: string; id: string }>(
    'select company_id as "companyId", id from files where owner_kind is null and unattached_since < $1',
    [before],
  );
  return rows;
}

/** Deletes the given files that are still unattached, with their thumbnails and public copies, and returns the deleted ids. */
export async function deleteUnattachedFiles(client: pg.PoolClient, companyId: string, ids: readonly string[]): Promise<string[]> {
  return deleteWithDerivedFiles(client, companyId, sql`id = any (${sql.param(`{${ids.join()}}`)}::uuid[]) and owner_kind is null`);
}

/**
 * Locks the company's file usage, which waits for uploads that have saved their bytes but not committed their row. Then returns the ids
 * that none of the company's files has. Empty if the company doesn't exist.
 */
export async function lockAndListMissingFileIds(client: pg.ClientBase, companyId: string, ids: readonly string[]): Promise<string[]> {
  const locked = await client.query(
    `insert into file_usage as u (company_id, bytes) select company_id, 0 from companies where company_id = $1
      on conflict (company_id) do update set bytes = u.bytes`,
    [companyId],
  );
  if (locked.rowCount === 0) return [];
  const { rows } = await client.query<{ id: string }>(
    'select a.id from unnest($2::uuid[]) as a (id) where not exists (select from files f where f.company_id = $1 and f.id = a.id)',
    [companyId, ids],
  );
  return rows.map(({ id }) => id);
}
