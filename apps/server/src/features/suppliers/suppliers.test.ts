import { randomUUID } from 'node:crypto';
import { COST_SORTS, type Item } from '@callout/contract/items';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NewItemInput, newItem, newSupplier } from '../../../test/factories/inputs.ts';
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
  supplierId = (await admin().suppliers.create(newSupplier())).id;
});

const admin = () => firm.people.admin.client;
const addItem = (over: Partial<NewItemInput> = {}) => admin().items.create(newItem({ supplier_id: supplierId, ...over }));
const refused = (code: string, message: string) => ({ code, message });
const wrong = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });

function changeOf(item: Item, over: Partial<NewItemInput>) {
  const { cost_price = '', margin_percentage, markup_amount, ...fields } = item;
  return { ...fields, cost_price, margin_percentage, markup_amount, ...over };
}

describe('a supplier', () => {
  it('is added as active, changed from its version, and deleted with its price list', async () => {
    const input = newSupplier({ company_name: 'Mico', email: 'sales@mico.example', city: 'Auckland' });
    const added = await admin().suppliers.create(input);
    expect(added).toMatchObject({ ...input, phone: null, status: 'active', version: 1 });
    expect(await admin().suppliers.create(input)).toEqual(added);
    const item = await admin().items.create(newItem({ supplier_id: added.id }));
    const changed = await admin().suppliers.update({ ...added, status: 'inactive', phone: '09 300' });
    expect(changed).toMatchObject({ status: 'inactive', phone: '09 300', version: 2 });
    await expect(admin().suppliers.update({ ...added, status: 'active' })).rejects.toMatchObject({ code: 'STALE_VERSION' });
    await admin().suppliers.remove({ id: added.id });
    await expect(admin().suppliers.get({ id: added.id })).rejects.toMatchObject(refused('NOT_FOUND', 'Supplier not found'));
    await expect(admin().items.get({ id: item.id })).rejects.toMatchObject(refused('NOT_FOUND', 'Item not found'));
  });

  it('needs a company name, and an email that is one', async () => {
    await expect(admin().suppliers.create(newSupplier({ company_name: ' ', email: 'abc' }))).rejects.toMatchObject(
      wrong({ company_name: 'Company name is required', email: 'Please enter a valid email address' }),
    );
  });

  it('can be added as inactive; an unknown status is refused', async () => {
    expect(await admin().suppliers.create(newSupplier({ status: 'inactive' }))).toMatchObject({ status: 'inactive' });
    const unknown = { ...newSupplier(), status: 'foo' as 'active' };
    await expect(admin().suppliers.create(unknown)).rejects.toMatchObject(wrong({ status: 'Please choose a status' }));
  });

  it('is listed by name with the number of its items', async () => {
    await admin().suppliers.create(newSupplier({ company_name: 'Bunnings' }));
    await addItem();
    await addItem();
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
    await admin().suppliers.create(newSupplier({ company_name: 'Bunnings' }));
    await addItem({ name: 'Kitchen mixer', sku: 'MX-900' });
    const { rows } = await admin().suppliers.list({ search });
    expect(rows.map((row) => [row.company_name, row.matched])).toEqual([['Reece Plumbing', matched]]);
  });
});

describe('the price of an item', () => {
  it.each([
    [{ cost_price: '100', margin_percentage: '30' }, '142.86', '30.0'],
    [{ cost_price: '100', pricing_method: 'markup', markup_amount: '25' }, '125.00', '20.0'],
    [{ cost_price: '60', pricing_method: 'fixed', fixed_price: '99' }, '99.00', '39.4'],
    [{ cost_price: '50', pricing_method: 'fixed', fixed_price: '0' }, '0.00', '0.0'],
    [{ cost_price: '0', margin_percentage: '30', fixed_price: '45' }, '45.00', '100.0'],
    [{ cost_price: '9999999999.99', pricing_method: 'fixed', fixed_price: '0.01' }, '0.01', '-99999999999800.0'],
  ] as const)('of %j is computed by the server, whatever the request says', async (pricing, price, margin) => {
    const body = { ...newItem({ supplier_id: supplierId, ...pricing }), selling_price: '1.00', profit_margin: '1.0' };
    const { statusCode } = await test.request('POST', '/api/items', { cookie: firm.people.admin.cookie, body });
    expect(statusCode).toBe(201);
    expect(await admin().items.get({ id: body.id })).toMatchObject({ selling_price: price, profit_margin: margin });
  });

  it('follows a change of the pricing', async () => {
    const item = await addItem({ cost_price: '70' });
    expect(item.selling_price).toBe('100.00');
    const changed = await admin().items.update(changeOf(item, { pricing_method: 'markup', markup_amount: '5.50' }));
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
  ] as const)('cannot be made from %j', async (pricing, fields) => {
    await expect(addItem(pricing)).rejects.toMatchObject(wrong(fields));
  });
});

describe('a SKU', () => {
  it('is unique per supplier, also on a change, and free elsewhere', async () => {
    await addItem({ sku: 'AB-1' });
    await expect(addItem({ sku: 'ab-1' })).rejects.toMatchObject(refused('SKU_TAKEN', 'An item with this SKU already exists'));
    const other = await addItem({ sku: 'AB-2' });
    await expect(admin().items.update(changeOf(other, { sku: 'AB-1' }))).rejects.toMatchObject({ code: 'SKU_TAKEN' });
    const supplier = await admin().suppliers.create(newSupplier());
    await admin().items.create(newItem({ supplier_id: supplier.id, sku: 'AB-1' }));
    const neighbor = await createFirm(test, 'Neighbor');
    const theirs = await neighbor.people.admin.client.suppliers.create(newSupplier());
    await neighbor.people.admin.client.items.create(newItem({ supplier_id: theirs.id, sku: 'AB-1' }));
  });
});

describe('who may see and do what', () => {
  it.each(['manager', 'accountant'] as const)('the %s edits suppliers and sees costs', async (role) => {
    const { client } = firm.people[role];
    const item = await client.items.create(newItem({ supplier_id: supplierId, cost_price: '70' }));
    expect(item).toMatchObject({ cost_price: '70.00', margin_percentage: '30.0', profit_margin: '30.0' });
  });

  it('staff see prices, but no cost in any answer and in no order of the list', async () => {
    const added = await addItem({ pricing_method: 'markup', markup_amount: '5' });
    const { items } = firm.people.staff.client;
    const answers = [
      await items.get({ id: added.id }),
      ...(await items.list({ supplier_id: supplierId })).rows,
      ...(await items.search({ search: 'mixer' })).rows,
    ];
    expect(answers).toHaveLength(3);
    for (const answer of answers) {
      expect(answer.selling_price).toBe('75.00');
      expect(Object.keys(answer)).not.toEqual(expect.arrayContaining([expect.stringMatching(/cost|margin|markup|profit/)]));
    }
    for (const sort of COST_SORTS) {
      await expect(items.list({ supplier_id: supplierId, sort })).rejects.toMatchObject(
        refused('FORBIDDEN', 'You do not have permission to see cost prices'),
      );
    }
  });

  it('staff change nothing', async () => {
    const { suppliers, items } = firm.people.staff.client;
    const forbidden = refused('FORBIDDEN', 'You do not have permission to edit suppliers and items');
    await expect(suppliers.create(newSupplier())).rejects.toMatchObject(forbidden);
    await expect(items.create(newItem({ supplier_id: supplierId }))).rejects.toMatchObject(forbidden);
    await expect(items.remove({ id: randomUUID() })).rejects.toMatchObject(forbidden);
  });

  it('nobody adds an item to a supplier of another company, or to one that does not exist', async () => {
    const neighbor = (await createFirm(test, 'Neighbor')).people.admin.client;
    for (const supplier_id of [supplierId, randomUUID()]) {
      await expect(neighbor.items.create(newItem({ supplier_id }))).rejects.toMatchObject(refused('NOT_FOUND', 'Supplier not found'));
    }
    await expect(neighbor.items.list({ supplier_id: supplierId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe("a supplier's items", () => {
  beforeEach(async () => {
    await addItem({ name: 'Basin', sku: 'C', cost_price: '9', margin_percentage: '10' });
    await addItem({ name: 'Tap', sku: 'B', cost_price: '100', margin_percentage: '5' });
    await addItem({ name: 'Trap', sku: 'A', cost_price: '20', margin_percentage: '90' });
  });

  it.each([
    ['name', ['Basin', 'Tap', 'Trap']],
    ['sku', ['Trap', 'Tap', 'Basin']],
    ['cost_price', ['Basin', 'Trap', 'Tap']],
    ['selling_price', ['Basin', 'Tap', 'Trap']],
    ['profit_margin', ['Tap', 'Basin', 'Trap']],
  ] as const)('are sorted by %s', async (sort, names) => {
    const sorted = async (order: 'asc' | 'desc') =>
      (await admin().items.list({ supplier_id: supplierId, sort, order })).rows.map(({ name }) => name);
    expect(await sorted('asc')).toEqual(names);
    expect(await sorted('desc')).toEqual(names.toReversed());
  });

  it('are picked by name or SKU, with their supplier', async () => {
    const { rows } = await admin().items.search({ search: 'tap' });
    expect(rows.map(({ name, supplier }) => [name, supplier])).toEqual([['Tap', { id: supplierId, company_name: 'Reece Plumbing' }]]);
  });
});
