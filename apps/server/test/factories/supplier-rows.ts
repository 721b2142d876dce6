import { randomUUID } from 'node:crypto';
import { NewItem } from '@callout/contract/items';
import { NewSupplier } from '@callout/contract/suppliers';
import { toStoredItem, toStoredSupplier } from '../../src/features/suppliers/suppliers.sql.ts';
import type { TestApp } from '../test-app.ts';
import { buildItem, buildSupplier, type NewItemInput } from './inputs.ts';

type Row = Readonly<Record<string, unknown>>;

/** Inserts many suppliers in a single statement and returns their ids. */
export async function insertSuppliers(
  test: TestApp,
  companyId: string,
  names: readonly string[],
  ids?: readonly string[],
): Promise<string[]> {
  const rows = names.map((company_name, index) => ({
    company_id: companyId,
    ...toStoredSupplier(NewSupplier.parse(buildSupplier({ company_name }))),
    id: ids?.[index] ?? randomUUID(),
    status: 'active',
    ...TIMESTAMPS,
  }));
  await insertRows(test, 'suppliers', rows);
  return rows.map(({ id }) => id);
}

/** Inserts many items for one supplier in a single statement. */
export async function insertItems(
  test: TestApp,
  companyId: string,
  supplier_id: string,
  items: readonly Partial<NewItemInput>[],
): Promise<void> {
  const rows = items.map((item) => ({
    company_id: companyId,
    ...toStoredItem(NewItem.parse(buildItem({ supplier_id, ...item }))),
    ...TIMESTAMPS,
  }));
  await insertRows(test, 'supplier_items', rows);
}

const TIMESTAMPS = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z', version: 1 };

async function insertRows(test: TestApp, table: string, rows: readonly Row[]): Promise<void> {
  const insertAll = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`;
  await test.app.platform.pools.system.query(insertAll, [JSON.stringify(rows)]);
}
