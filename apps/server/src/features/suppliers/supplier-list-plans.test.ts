import { describe, expect, it } from 'vitest';
import { createFirm, toTenant } from '../../../test/factories/people.ts';
import { insertItems, insertSuppliers } from '../../../test/factories/supplier-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { runTenantQuery } from '../../platform/db/tenant-scope.ts';
import { itemList, itemPickerList, supplierList } from './suppliers.sql.ts';

const SUPPLIER_ID = '7b0f2c66-0f0c-4c37-9c5e-3b1f6a1d2e4f';
const OTHER_SUPPLIER_ID = '1d3c7f10-52c4-4a59-8a3c-4e0a9b6c7d8e';

const buildItemSeed = (index: number) => ({
  name: index === 0 ? 'Xylophone bracket' : `Tap ${(index * 7919) % 5000}`,
  sku: `SKU-${index}`,
  cost_price: String((index * 31) % 997),
  margin_percentage: String((index * 13) % 90),
});

async function insertPriceLists(test: TestApp, companyId: string): Promise<void> {
  await insertSuppliers(test, companyId, ['Reece', 'Other'], [SUPPLIER_ID, OTHER_SUPPLIER_ID]);
  const items = Array.from({ length: 3000 }, (_, index) => buildItemSeed(index));
  await insertItems(test, companyId, SUPPLIER_ID, items);
  await insertItems(test, companyId, OTHER_SUPPLIER_ID, items.slice(1));
}

describe("the list of a supplier's items", () => {
  testListPlans({
    list: itemList,
    insertRows: insertPriceLists,
    baseInput: { supplier_id: SUPPLIER_ID },
    rareFilters: [],
    rareWord: 'xylophone',
    commonPrefix: 'tap',
    commonWord: 'sku',
  });
});

describe('the item picker', () => {
  testListPlans({
    list: itemPickerList,
    insertRows: insertPriceLists,
    baseInput: { supplier_status: 'active' },
    rareFilters: [],
    rareWord: 'xylophone',
    commonPrefix: 'tap',
    commonWord: 'sku',
  });
});

describe('the supplier list', () => {
  testListPlans({
    list: supplierList,
    insertRows: async (test, companyId) => {
      const names = Array.from({ length: 3000 }, (_, index) => `Supplier ${(index * 7919) % 3000}`);
      await insertSuppliers(test, companyId, names);
    },
    rareFilters: [],
    commonPrefix: 'supp',
  });
});

describe('searching suppliers by item', () => {
  it('scans the items once, regardless of the number of suppliers', async () => {
    const test = await startTestApp();
    const plans = await captureQueryPlans(test, 'supplier_items');
    const firm = await createFirm(test);
    const names = Array.from({ length: 300 }, (_, index) => `Supplier ${index}`);
    const [first = ''] = await insertSuppliers(test, firm.companyId, names);
    await insertItems(
      test,
      firm.companyId,
      first,
      Array.from({ length: 3000 }, (_, index) => buildItemSeed(index)),
    );
    await test.owner.query('vacuum analyze');
    const search = () =>
      runTenantQuery(test.app.platform.pools.app, toTenant(firm), (scope) =>
        listRecords(scope, supplierList, { search: 'xylophone', sort: 'name', order: 'asc' }),
      );
    expect((await search()).rows.map(({ id }) => id)).toEqual([first]);
    const plan = await plans.during(search);
    const searches = [...plan.matchAll(/Scan on supplier_items_by_text .*loops=(\d+)/g)].map(([, loops]) => Number(loops));
    expect(searches, plan).toEqual([1]);
  });
});
