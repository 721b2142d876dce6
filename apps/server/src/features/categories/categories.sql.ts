import type { Category, NewCategory } from '@callout/contract/categories';
import { and, eq, sql } from 'drizzle-orm';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { isUniqueViolation } from '../../platform/db/violations.ts';
import { categories } from './categories.table.ts';

const category = { id: categories.id, name: categories.name, created_at: categories.created_at };

export async function readCategories(scope: TenantScope): Promise<Category[]> {
  return scope.db
    .select(category)
    .from(categories)
    .where(eq(categories.company_id, scope.companyId))
    .orderBy(sql`lower(${categories.name})`, categories.id);
}

/** Or which of its unique values another category has. Of two equal requests at the same moment either constraint may refuse one. */
export async function insertCategory(scope: TenantScope, { id, name }: NewCategory): Promise<Category | 'ID_TAKEN' | 'NAME_TAKEN'> {
  await scope.db.execute(sql`savepoint before_category`);
  try {
    const rows = await scope.db
      .insert(categories)
      .values({ company_id: scope.companyId, id, name, user_id: scope.actor.userId, created_at: scope.now })
      .onConflictDoNothing({ target: [categories.company_id, categories.id] })
      .returning(category);
    return rows[0] ?? 'ID_TAKEN';
  } catch (error) {
    if (!isUniqueViolation(error, 'categories_by_name')) throw error;
    await scope.db.execute(sql`rollback to savepoint before_category`);
    return 'NAME_TAKEN';
  }
}

export async function readCategory(scope: TenantScope, id: string): Promise<Category | null> {
  const rows = await scope.db
    .select(category)
    .from(categories)
    .where(and(eq(categories.company_id, scope.companyId), eq(categories.id, id)));
  return rows[0] ?? null;
}

export async function deleteCategory(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db
    .delete(categories)
    .where(and(eq(categories.company_id, scope.companyId), eq(categories.id, id)))
    .returning({ id: categories.id });
  return rows.length > 0;
}
