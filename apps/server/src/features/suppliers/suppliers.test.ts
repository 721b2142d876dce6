import { randomUUID } from 'node:crypto';
import { COST_SORTS, type Item } from '@callout/contract/items';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildItem, buildSupplier, type NewItemInput } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let supplierId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  supplierId = (await admin().suppliers.create(buildSupplier())).id;
});

const admin = () => firm.people.admin.client;
const createItem = (overrides: Partial<NewItemInput> = {}) => admin().items.create(buildItem({ supplier_id: supplierId, ...overrides }));
const buildFailure = (code: string, message: string) => ({ code, message });
const buildInvalidInput = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });

function buildItemChange(item: Item, overrides: Partial<NewItemInput>) {
  const { cost_price = '', margin_percentage, markup_amount, ...fields } = item;
  return { ...fields, cost_price, margin_percentage, markup_amount, ...overrides };
}

describe('a supplier', () => {
  it('is active by default, rejects outdated edits, and is deleted with its items', async () => {
    const input = buildSupplier({ company_name: 'Mico', email: 'sales@mico.example', city: 'Auckland' });
    const added = await admin().suppliers.create(input);
    expect(added).toMatchObject({ ...input, phone: null, status: 'active', version: 1 });
    expect(await admin().suppliers.create(input)).toEqual(added);
    const item = await admin().items.create(buildItem({ supplier_id: added.id }));
    const changed = await admin().suppliers.update({ ...added, status: 'inactive', phone: '09 300' });
    expect(changed).toMatchObject({ status: 'inactive', phone: '09 300', version: 2 });
    await expect(admin().suppliers.update({ ...added, status: 'active' })).rejects.toMatchObject({ code: 'STALE_VERSION' });
    await admin().suppliers.remove({ id: added.id });
    await expect(admin().suppliers.get({ id: added.id })).rejects.toMatchObject(buildFailure('NOT_FOUND', 'Supplier not found'));
    await expect(admin().items.get({ id: item.id })).rejects.toMatchObject(buildFailure('NOT_FOUND', 'Item not found'));
  });

  it('requires a company name and a valid email address', async () => {
    await expect(admin().suppliers.create(buildSupplier({ company_name: ' ', email: 'abc' }))).rejects.toMatchObject(
      buildInvalidInput({ company_name: 'Company name is required', email: 'Please enter a valid email address' }),
    );
  });

  it('can be added as inactive, but not with an unknown status', async () => {
    expect(await admin().suppliers.create(buildSupplier({ status: 'inactive' }))).toMatchObject({ status: 'inactive' });
    const unknown = { ...buildSupplier(), status: 'foo' as 'active' };
    await expect(admin().suppliers.create(unknown)).rejects.toMatchObject(buildInvalidInput({ status: 'Please choose a status' }));
  });

  it('is listed by name with its item count', async () => {
    await admin().suppliers.create(buildSupplier({ company_name: 'Bunnings' }));
    await createItem();
    await createItem();
    const { rows } = await admin().suppliers.list({});
    expect(rows.map(({ company_name, item_count }) => [company_name, item_count])).toEqual([
      ['Bunnings', 0],
      ['Reece Plumbing', 2],
    ]);
  });

  it.each([
    ['its own name', 'reece', 'name'],
    ["an item's name", 'MIXER', 'other'],
    ["an item's SKU", 'mx-9', 'other'],
  ])('is found by %s', async (_name, search, matched) => {
    await admin().suppliers.create(buildSupplier({ company_name: 'Bunnings' }));
    await createItem({ name: 'Kitchen mixer', sku: 'MX-900' });
    const { rows } = await admin().suppliers.list({ search });
    expect(rows.map((row) => [row.company_name, row.matched])).toEqual([['Reece Plumbing', matched]]);
  });
});

describe('the price of a supplier item', () => {
  it.each([
    [{ cost_price: '100', margin_percentage: '30' }, '142.86', '30.0'],
    [{ cost_price: '100', pricing_method: 'markup', markup_amount: '25' }, '125.00', '20.0'],
    [{ cost_price: '60', pricing_method: 'fixed', fixed_price: '99' }, '99.00', '39.4'],
    [{ cost_price: '50', pricing_method: 'fixed', fixed_price: '0' }, '0.00', '0.0'],
    [{ cost_price: '0', margin_percentage: '30', fixed_price: '45' }, '45.00', '100.0'],
    [{ cost_price: '9999999999.99', pricing_method: 'fixed', fixed_price: '0.01' }, '0.01', '-99999999999800.0'],
  ] as const)('is calculated on the server from %j, even if the request contains a price', async (pricing, price, margin) => {
    const body = { ...buildItem({ supplier_id: supplierId, ...pricing }), selling_price: '1.00', profit_margin: '1.0' };
    const { statusCode } = await test.request('POST', '/api/items', { cookie: firm.people.admin.cookie, body });
    expect(statusCode).toBe(201);
    expect(await admin().items.get({ id: body.id })).toMatchObject({ selling_price: price, profit_margin: margin });
  });

  it('is recalculated when the pricing changes', async () => {
    const item = await createItem({ cost_price: '70' });
    expect(item.selling_price).toBe('100.00');
    const changed = await admin().items.update(buildItemChange(item, { pricing_method: 'markup', markup_amount: '5.50' }));
    expect(changed).toMatchObject({ selling_price: '75.50', version: 2 });
  });

  it.each([
    [{ cost_price: '-1' }, { cost_price: 'Cost price must be 0 or more, with up to 2 decimal places' }],
    [{ cost_price: '1.001' }, { cost_price: 'Cost price must be 0 or more, with up to 2 decimal places' }],
    [{ margin_percentage: '100.1' }, { margin_percentage: 'Margin percentage must be a number from 0 to 100, with up to 1 decimal place' }],
    [{ margin_percentage: null }, { margin_percentage: 'Margin percentage is required' }],
    [{ pricing_method: 'markup' }, { markup_amount: 'Markup amount is required' }],
    [{ pricing_method: 'fixed' }, { fixed_price: 'Fixed price is required' }],
    [
      { cost_price: '9999999999.99', margin_percentage: '99.9' },
      { margin_percentage: 'The selling price must be at most 9,999,999,999.99' },
    ],
    [
      { name: '', sku: ' ' },
      { name: 'Name is required', sku: 'SKU is required' },
    ],
  ] as const)('is rejected with %j', async (pricing, fields) => {
    await expect(createItem(pricing)).rejects.toMatchObject(buildInvalidInput(fields));
  });
});

describe('a SKU', () => {
  it('must be unique within a supplier, but not across suppliers, when an item is added or edited', async () => {
    await createItem({ sku: 'AB-1' });
    await expect(createItem({ sku: 'ab-1' })).rejects.toMatchObject(buildFailure('SKU_TAKEN', 'An item with this SKU already exists'));
    const other = await createItem({ sku: 'AB-2' });
    await expect(admin().items.update(buildItemChange(other, { sku: 'AB-1' }))).rejects.toMatchObject({ code: 'SKU_TAKEN' });
    const supplier = await admin().suppliers.create(buildSupplier());
    await admin().items.create(buildItem({ supplier_id: supplier.id, sku: 'AB-1' }));
    const neighbor = await createFirm(test, 'Neighbor');
    const theirs = await neighbor.people.admin.client.suppliers.create(buildSupplier());
    await neighbor.people.admin.client.items.create(buildItem({ supplier_id: theirs.id, sku: 'AB-1' }));
  });
});

describe('access to suppliers and items', () => {
  it.each(['manager', 'accountant'] as const)('the role %s can edit items and see costs', async (role) => {
    const { client } = firm.people[role];
    const item = await client.items.create(buildItem({ supplier_id: supplierId, cost_price: '70' }));
    expect(item).toMatchObject({ cost_price: '70.00', margin_percentage: '30.0', profit_margin: '30.0' });
  });

  it('staff see prices, but no costs in responses, and cannot sort by cost', async () => {
    const added = await createItem({ pricing_method: 'markup', markup_amount: '5' });
    const { items } = firm.people.staff.client;
    const responses = [
      await items.get({ id: added.id }),
      ...(await items.list({ supplier_id: supplierId })).rows,
      ...(await items.search({ search: 'mixer' })).rows,
    ];
    expect(responses).toHaveLength(3);
    for (const item of responses) {
      expect(item.selling_price).toBe('75.00');
      expect(Object.keys(item)).not.toEqual(expect.arrayContaining([expect.stringMatching(/cost|margin|markup|profit/)]));
    }
    for (const sort of COST_SORTS) {
      await expect(items.list({ supplier_id: supplierId, sort })).rejects.toMatchObject(
        buildFailure('FORBIDDEN', 'You do not have permission to see cost prices'),
      );
    }
  });

  it('staff cannot change suppliers or items', async () => {
    const { suppliers, items } = firm.people.staff.client;
    const forbidden = buildFailure('FORBIDDEN', 'You do not have permission to edit suppliers and items');
    await expect(suppliers.create(buildSupplier())).rejects.toMatchObject(forbidden);
    await expect(items.create(buildItem({ supplier_id: supplierId }))).rejects.toMatchObject(forbidden);
    await expect(items.remove({ id: randomUUID() })).rejects.toMatchObject(forbidden);
  });

  it("an item cannot be added to a missing supplier or another company's supplier", async () => {
    const neighbor = (await createFirm(test, 'Neighbor')).people.admin.client;
    for (const supplier_id of [supplierId, randomUUID()]) {
      await expect(neighbor.items.create(buildItem({ supplier_id }))).rejects.toMatchObject(
        buildFailure('NOT_FOUND', 'Supplier not found'),
      );
    }
    await expect(neighbor.items.list({ supplier_id: supplierId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe("a supplier's items", () => {
  beforeEach(async () => {
    await createItem({ name: 'Basin', sku: 'C', cost_price: '9', margin_percentage: '10' });
    await createItem({ name: 'Tap', sku: 'B', cost_price: '100', margin_percentage: '5' });
    await createItem({ name: 'Trap', sku: 'A', cost_price: '20', margin_percentage: '90' });
  });

  it.each([
    ['name', ['Basin', 'Tap', 'Trap']],
    ['sku', ['Trap', 'Tap', 'Basin']],
    ['cost_price', ['Basin', 'Trap', 'Tap']],
    ['selling_price', ['Basin', 'Tap', 'Trap']],
    ['profit_margin', ['Tap', 'Basin', 'Trap']],
  ] as const)('are sorted by %s', async (sort, names) => {
    const listNames = async (order: 'asc' | 'desc') =>
      (await admin().items.list({ supplier_id: supplierId, sort, order })).rows.map(({ name }) => name);
    expect(await listNames('asc')).toEqual(names);
    expect(await listNames('desc')).toEqual(names.toReversed());
  });

  it('are found by name in the item picker, with their supplier', async () => {
    const { rows } = await admin().items.search({ search: 'tap' });
    expect(rows.map(({ name, supplier }) => [name, supplier])).toEqual([['Tap', { id: supplierId, company_name: 'Reece Plumbing' }]]);
  });
});

describe('the price list for work without a connection', () => {
  const readList = (revision?: string) => firm.people.staff.client.items.priceList(revision === undefined ? {} : { revision });

  it('contains the items of active suppliers by name, without costs and descriptions', async () => {
    const tap = await createItem({ name: 'Tap', description: 'Chrome' });
    const hose = await createItem({ name: 'hose' });
    const inactive = await admin().suppliers.create(buildSupplier({ status: 'inactive' }));
    await admin().items.create(buildItem({ supplier_id: inactive.id }));
    const { items } = await readList();
    expect(items?.map(({ id }) => id)).toEqual([hose.id, tap.id]);
    const { id, name, sku, tax_inclusive, is_service, selling_price } = tap;
    const supplier = { id: supplierId, company_name: (await admin().suppliers.get({ id: supplierId })).company_name };
    expect(items?.[1]).toEqual({ id, name, sku, tax_inclusive, is_service, selling_price, supplier });
  });

  it('is sent again only if something has changed', async () => {
    const item = await createItem();
    let { revision } = await readList();
    const expectChange = async () => {
      const next = await readList(revision);
      expect(next.items).not.toBeNull();
      expect(await readList(next.revision)).toEqual({ revision: next.revision, items: null });
      ({ revision } = next);
    };
    const { supplier_id: _, ...fields } = buildItem({ supplier_id: supplierId, id: item.id, sku: item.sku, name: 'Renamed' });
    await admin().items.update({ ...fields, version: 1 });
    await expectChange();
    await admin().items.remove({ id: item.id });
    await expectChange();
    const supplier = await admin().suppliers.get({ id: supplierId });
    await admin().suppliers.update({ ...supplier, status: 'inactive' });
    await expectChange();
  });

  it('is empty for a company without suppliers', async () => {
    await admin().suppliers.remove({ id: supplierId });
    expect((await readList()).items).toEqual([]);
  });
});
