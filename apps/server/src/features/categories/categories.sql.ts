import { Category, categoryNameTaken, categoryNotFound } from '@callout/contract/categories';
import { sql } from 'drizzle-orm';
import { columnsOf, defineRecord, inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
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
