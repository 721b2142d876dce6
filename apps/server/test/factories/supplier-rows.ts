import { randomUUID } from 'node:crypto';
import { NewItem } from '@callout/contract/items';
import { NewSupplier } from '@callout/contract/suppliers';
import { storedItem, storedSupplier } from '../../src/features/suppliers/suppliers.sql.ts';
import type { TestApp } from '../test-app.ts';
import { type NewItemInput, newItem, newSupplier } from './inputs.ts';

type Row = Readonly<Record<string, unknown>>;

/** Many suppliers at once, straight into the table. Gives their ids. */
export async function insertSuppliers(
  test: TestApp,
  companyId: string,
  names: readonly string[],
  ids?: readonly string[],
): Promise<string[]> {
  const rows = names.map((company_name, index) => ({
    company_id: companyId,
    ...storedSupplier(NewSupplier.parse(newSupplier({ company_name }))),
    id: ids?.[index] ?? randomUUID(),
    status: 'active',
    ...STAMPS,
  }));
  await insertRows(test, 'suppliers', rows);
  return rows.map(({ id }) => id);
}

/** Many items of one supplier at once, straight into the table. */
export async function insertItems(
  test: TestApp,
  companyId: string,
  supplier_id: string,
  items: readonly Partial<NewItemInput>[],
): Promise<void> {
  const rows = items.map((item) => ({ company_id: companyId, ...storedItem(NewItem.parse(newItem({ supplier_id, ...item }))), ...STAMPS }));
  await insertRows(test, 'supplier_items', rows);
}

const STAMPS = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z', version: 1 };

async function insertRows(test: TestApp, table: string, rows: readonly Row[]): Promise<void> {
  const insert = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`;
  await test.app.platform.pools.system.query(insert, [JSON.stringify(rows)]);
}
