import { describe, expect, it } from 'vitest';
import { createFirm, tenantOf } from '../../../test/factories/people.ts';
import { insertItems, insertSuppliers } from '../../../test/factories/supplier-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import { capturePlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { readAs } from '../../platform/db/tenant-scope.ts';
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

describe('suppliers found by their items', () => {
  it('take one search in the items, however many suppliers there are', async () => {
    const test = await startTestApp();
    const plans = await capturePlans(test, 'supplier_items');
    const firm = await createFirm(test);
    const names = Array.from({ length: 300 }, (_, index) => `Supplier ${index}`);
    const [first = ''] = await insertSuppliers(test, firm.companyId, names);
    await insertItems(
      test,
      firm.companyId,
      first,
      Array.from({ length: 3000 }, (_, index) => item(index)),
    );
    await test.owner.query('vacuum analyze');
    const search = () =>
      readAs(test.app.platform.pools.app, tenantOf(firm), (scope) =>
        listRecords(scope, supplierList, { search: 'xylophone', sort: 'name', order: 'asc' }),
      );
    expect((await search()).rows.map(({ id }) => id)).toEqual([first]);
    const plan = await plans.during(search);
    const searches = [...plan.matchAll(/Scan on supplier_items_by_text .*loops=(\d+)/g)].map(([, loops]) => Number(loops));
    expect(searches, plan).toEqual([1]);
  });
});
