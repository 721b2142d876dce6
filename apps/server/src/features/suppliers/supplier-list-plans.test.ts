import { describe } from 'vitest';
import { insertItems, insertSuppliers } from '../../../test/factories/supplier-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { itemChoices, itemList, supplierList } from './suppliers.sql.ts';

const SUPPLIER = '7b0f2c66-0f0c-4c37-9c5e-3b1f6a1d2e4f';
const OTHER = '1d3c7f10-52c4-4a59-8a3c-4e0a9b6c7d8e';

const item = (index: number) => ({
  name: index === 0 ? 'Xylophone bracket' : `Tap ${(index * 7919) % 5000}`,
  sku: `SKU-${index}`,
  cost_price: String((index * 31) % 997),
  margin_percentage: String((index * 13) % 90),
});

async function insertPriceLists(test: TestApp, companyId: string): Promise<void> {
  await insertSuppliers(test, companyId, ['Reece', 'Other'], [SUPPLIER, OTHER]);
  const items = Array.from({ length: 3000 }, (_, index) => item(index));
  await insertItems(test, companyId, SUPPLIER, items);
  await insertItems(test, companyId, OTHER, items.slice(1));
}

describe("a supplier's items", () => {
  testListPlans({
    list: itemList,
    insertRows: insertPriceLists,
    always: { supplier_id: SUPPLIER },
    rareFilters: [],
    rareWord: 'xylophone',
    commonStart: 'tap',
  });
});

describe('items to pick', () => {
  testListPlans({ list: itemChoices, insertRows: insertPriceLists, rareFilters: [], rareWord: 'xylophone', commonStart: 'tap' });
});

describe('suppliers', () => {
  testListPlans({
    list: supplierList,
    insertRows: async (test, companyId) => {
      const names = Array.from({ length: 3000 }, (_, index) => `Supplier ${(index * 7919) % 3000}`);
      await insertSuppliers(test, companyId, [...names, 'Xylander']);
    },
    rareFilters: [],
    rareWord: 'xylander',
    commonStart: 'supp',
  });
});
