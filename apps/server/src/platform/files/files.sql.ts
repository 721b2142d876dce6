import { and, eq } from 'drizzle-orm';
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
    .values({ ...file, purpose, company_id: scope.companyId, user_id: scope.actor.userId, created_at: scope.now })
    .onConflictDoNothing()
    .returning(stored);
  return rows[0] ?? null;
}
