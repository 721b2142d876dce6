import type { Category, NewCategory } from '@callout/contract/categories';
import { and, eq, sql } from 'drizzle-orm';
import { userIdOf } from '../../platform/db/actor.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
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
  try {
    const [created] = await scope.savepoint(() =>
      scope.db
        .insert(categories)
        .values({ company_id: scope.companyId, id, name, user_id: userIdOf(scope.actor), created_at: scope.now })
        .onConflictDoNothing({ target: [categories.company_id, categories.id] })
        .returning(category),
    );
    return created ?? 'ID_TAKEN';
  } catch (error) {
    if (isUniqueViolation(error, 'categories_by_name')) return 'NAME_TAKEN';
    throw error;
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
