import {
  Category,
  type CategoryInput,
  categoryLimitError,
  categoryNameTakenError,
  categoryNotFoundError,
  MAX_CATEGORIES,
} from '@callout/contract/categories';
import { count, sql } from 'drizzle-orm';
import { lockCompanyPart } from '../../platform/db/locks.sql.ts';
import { createRecordOnce, defineRecord, inCompany, pickColumns } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { categories } from './categories.table.ts';

const categoryColumns = pickColumns(categories, Category);

export const categoryRecordType = defineRecord(categories, categoryColumns, {
  notFound: categoryNotFoundError,
  conflicts: { categories_by_name: categoryNameTakenError },
});

export function listCategories(scope: TenantScope): Promise<Category[]> {
  return scope.db
    .select(categoryColumns)
    .from(categories)
    .where(inCompany(scope, categories))
    .orderBy(sql`lower(${categories.name})`, categories.id);
}

/** Limits the number of categories, because the list has no pages. The lock keeps two requests from both adding the last category. */
export async function createCategory(scope: TenantScope, id: string, fields: CategoryInput): Promise<Category> {
  await lockCompanyPart(scope, scope.companyId, 'categories');
  const [existing] = await scope.db.select({ categories: count() }).from(categories).where(inCompany(scope, categories));
  const isFull = existing !== undefined && existing.categories >= MAX_CATEGORIES;
  if (isFull && !(await categoryRecordType.find(scope, id))) throw toFailure(categoryLimitError);
  return createRecordOnce(scope, categoryRecordType, id, fields);
}
