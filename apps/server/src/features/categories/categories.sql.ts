import {
  Category,
  type CategoryForm,
  categoryLimit,
  categoryNameTaken,
  categoryNotFound,
  MAX_CATEGORIES,
} from '@callout/contract/categories';
import { count, sql } from 'drizzle-orm';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { columnsOf, createOnce, defineRecord, inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { categories } from './categories.table.ts';

const columns = columnsOf(categories, Category);

export const categoryRecord = defineRecord(categories, columns, {
  notFound: categoryNotFound,
  conflicts: { categories_by_name: categoryNameTaken },
});

export function listCategories(scope: TenantScope): Promise<Category[]> {
  return scope.db
    .select(columns)
    .from(categories)
    .where(inCompany(scope, categories))
    .orderBy(sql`lower(${categories.name})`, categories.id);
}

/** Categories are listed whole, so their number is limited. The lock keeps two people from both adding the last one. */
export async function createCategory(scope: TenantScope, id: string, fields: CategoryForm): Promise<Category> {
  await lockCompany(scope, scope.companyId);
  const [existing] = await scope.db.select({ categories: count() }).from(categories).where(inCompany(scope, categories));
  const isFull = existing !== undefined && existing.categories >= MAX_CATEGORIES;
  if (isFull && !(await categoryRecord.find(scope, id))) throw failureOf(categoryLimit);
  return createOnce(scope, categoryRecord, id, fields);
}
