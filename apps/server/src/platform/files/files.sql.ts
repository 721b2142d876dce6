import { and, eq } from 'drizzle-orm';
import type pg from 'pg';
import { userIdOf } from '../db/actor.ts';
import type { TenantScope } from '../db/tenant-scope.ts';
import { type FilePurpose, files } from './files.table.ts';

export interface StoredFile {
  readonly id: string;
  readonly file_name: string;
  readonly file_size: number;
  readonly file_type: string;
}

const stored = { id: files.id, file_name: files.file_name, file_size: files.file_size, file_type: files.file_type };

export async function readFile(scope: TenantScope, id: string): Promise<StoredFile | null> {
  const rows = await scope.db
    .select(stored)
    .from(files)
    .where(and(eq(files.company_id, scope.companyId), eq(files.id, id)));
  return rows[0] ?? null;
}

/** Null when a file with this id is there already. */
export async function insertFile(scope: TenantScope, file: StoredFile, purpose: FilePurpose): Promise<StoredFile | null> {
  const rows = await scope.db
    .insert(files)
    .values({ ...file, purpose, company_id: scope.companyId, user_id: userIdOf(scope.actor), created_at: scope.now })
    .onConflictDoNothing({ target: [files.company_id, files.id] })
    .returning(stored);
  return rows[0] ?? null;
}

export async function deleteFile(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db
    .delete(files)
    .where(and(eq(files.company_id, scope.companyId), eq(files.id, id)))
    .returning({ id: files.id });
  return rows.length > 0;
}

/** For anybody who has its address: a logo or an avatar, never an attachment. */
export async function readImage(pool: pg.Pool, id: string): Promise<(StoredFile & { readonly company_id: string }) | null> {
  const { rows } = await pool.query<StoredFile & { company_id: string }>({
    name: 'read-image',
    text: `select company_id, id, file_name, file_size::integer as file_size, file_type from files where id = $1 and purpose <> 'attachment'`,
    values: [id],
  });
  return rows[0] ?? null;
}
