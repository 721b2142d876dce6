import { randomUUID } from 'node:crypto';
import type { NewJobLine } from '@callout/contract/job-line-input';
import type { Job } from '@callout/contract/jobs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createBillingHelpers, createFirmJob } from '../../../test/factories/billed-job.ts';
import { buildItem, buildSupplier, type NewJobInput } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client;
const staff = () => firm.people.staff.client;
const createJob = (overrides: Partial<NewJobInput> = {}) => createFirmJob(test, firm, overrides);
const buildInvalidInput = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });

describe('job lines', () => {
  it('are limited to 500 per job, because every response contains all of them', async () => {
    const supplier = await admin().suppliers.create(buildSupplier());
    const item = await admin().items.create(buildItem({ supplier_id: supplier.id }));
    const job = await createJob();
    const add = (id = randomUUID()) => admin().jobs.addItems({ job_id: job.id, lines: [{ id, supplier_item_id: item.id }] });
    const first = randomUUID();
    await add(first);
    await test.owner.query(
      `insert into job_items (company_id, id, job_id, position, name, tax_inclusive, is_service, quantity, unit_price, total_price)
        select company_id, gen_random_uuid(), job_id, n, name, tax_inclusive, is_service, quantity, unit_price, total_price
        from job_items, generate_series(2, 499) n where id = $1`,
      [first],
    );
    expect((await add()).items).toHaveLength(500);
    await expect(add()).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: 'A job can have at most 500 items.',
    });
    expect((await add(first)).items).toHaveLength(500);
  });
});

describe('items on a job', () => {
  let itemId: string;

  beforeEach(async () => {
    const supplier = await admin().suppliers.create(buildSupplier());
    itemId = (await admin().items.create(buildItem({ supplier_id: supplier.id, pricing_method: 'fixed', fixed_price: '115' }))).id;
  });

  const addItem = (jobId: string, overrides: object = {}) =>
    admin().jobs.addItems({
      job_id: jobId,
      lines: [{ id: randomUUID(), supplier_item_id: itemId, ...overrides }],
      fixed_price: 'replace',
    });

  it('keep their price and total after the supplier item is deleted', async () => {
    const { id } = await createJob({ fixed_amount: '500' });
    expect((await admin().jobs.get({ id })).totals.total_amount).toBe('500.00');
    const job = await addItem(id);
    expect(job.items).toMatchObject([{ name: 'Kitchen mixer tap', quantity: '1', unit_price: '115.00', total_price: '115.00' }]);
    expect(job.totals).toEqual({ subtotal: '100.00', tax_amount: '15.00', total_amount: '115.00' });
    await admin().items.remove({ id: itemId });
    const after = await admin().jobs.get({ id });
    expect(after.items).toMatchObject([{ name: 'Kitchen mixer tap', supplier_item_id: null, total_price: '115.00' }]);
    expect(after.totals).toEqual(job.totals);
  });

  it('are added once per id, and can change quantity and be removed', async () => {
    const { id } = await createJob();
    const line = { id: randomUUID(), quantity: 2, unit_price: '10.00' };
    await addItem(id, line);
    expect((await addItem(id, line)).items).toHaveLength(1);
    // A retry with another quantity or price must fail. If it succeeded, the caller would think that the change was stored.
    for (const change of [{ quantity: 3 }, { unit_price: '11.00' }])
      await expect(addItem(id, { ...line, ...change })).rejects.toMatchObject({ code: 'ID_TAKEN' });
    expect((await admin().jobs.setQuantity({ id: line.id, quantity: 3 })).items).toMatchObject([{ total_price: '30.00' }]);
    expect((await admin().jobs.removeItem({ id: line.id })).items).toEqual([]);
    await expect(admin().jobs.removeItem({ id: line.id })).rejects.toMatchObject({ message: 'Item not found' });
  });

  it('accept fractional quantities', async () => {
    const { id } = await createJob();
    const line = await addItem(id, { id: randomUUID(), quantity: 2.5, unit_price: '10.00' });
    expect(line.items).toMatchObject([{ quantity: '2.5', total_price: '25.00' }]);
    const changed = await admin().jobs.setQuantity({ id: line.items[0]?.id ?? '', quantity: 3.125 });
    expect(changed.items).toMatchObject([{ quantity: '3.125', total_price: '31.25' }]);
  });

  it.each([0, 0.5, 1.0005, 1e9])('reject the quantity %s', async (quantity) => {
    const { id } = await createJob();
    await expect(addItem(id, { quantity })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('reject a total that is too large to store', async () => {
    const { id } = await createJob();
    await expect(addItem(id, { quantity: 1_000_000, unit_price: '9999999.99' })).rejects.toMatchObject(
      buildInvalidInput({ quantity: 'The total must be at most 9,999,999,999.99' }),
    );
  });

  it('hide their cost from roles that may not see it', async () => {
    const { id } = await createJob();
    expect((await addItem(id)).items[0]).toHaveProperty('cost_price', '70.00');
    const seen = await firm.people.staff.client.jobs.get({ id });
    expect(seen.items).toHaveLength(1);
    expect(seen.items[0]).not.toHaveProperty('cost_price');
  });
});

type LineInput = z.input<typeof NewJobLine>;
const buildTypedLine = (overrides: Partial<LineInput> = {}): LineInput => ({
  id: randomUUID(),
  name: 'Labour',
  quantity: 2,
  unit_price: '95.00',
  tax_inclusive: false,
  is_service: true,
  ...overrides,
});
const getLine = ({ items }: Job, index = 0) => items[index] ?? expect.fail('The job has no such line');

describe('a line typed by hand', () => {
  it('bills the first job of a firm without suppliers, even when a staff member types it', async () => {
    const { id } = await createJob();
    const job = await staff().jobs.addItems({ job_id: id, lines: [buildTypedLine()] });
    expect(job.items).toMatchObject([
      { name: 'Labour', supplier_item_id: null, sku: null, quantity: '2', unit_price: '95.00', total_price: '190.00', is_service: true },
    ]);
    expect(job.totals).toEqual({ subtotal: '190.00', tax_amount: '28.50', total_amount: '218.50' });
  });

  it.each([
    [{ name: null }, { 'lines.0.supplier_item_id': 'No item selected' }],
    [{ unit_price: null }, { 'lines.0.unit_price': 'Unit price is required' }],
    [{ discount_percent: '10', discount_amount: '5' }, { 'lines.0.discount_amount': expect.stringContaining('not both') }],
    [{ discount_percent: '100.5' }, { 'lines.0.discount_percent': expect.stringContaining('at most 100 percent') }],
    [{ discount_amount: '190.01' }, { discount_amount: 'The discount can be at most $190.00' }],
  ])('is rejected with %j', async (change, fields) => {
    const { id } = await createJob();
    await expect(admin().jobs.addItems({ job_id: id, lines: [buildTypedLine(change)] })).rejects.toMatchObject(
      buildInvalidInput(fields as never),
    );
  });

  it('is added with others in one step: all of them or none', async () => {
    const { id } = await createJob();
    const [labour, pipe] = [buildTypedLine(), buildTypedLine({ name: 'Pipe', unit_price: '12.50' })];
    const lines = [labour, pipe, buildTypedLine({ supplier_item_id: randomUUID() })];
    await expect(admin().jobs.addItems({ job_id: id, lines })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await admin().jobs.get({ id })).items).toEqual([]);
    const added = await admin().jobs.addItems({ job_id: id, lines: [labour, pipe] });
    expect(added.items.map(({ name }) => name)).toEqual(['Labour', 'Pipe']);
    expect((await admin().jobs.addItems({ job_id: id, lines: [labour, pipe] })).items).toHaveLength(2);
    const [event] = (await admin().comments.history({ id })).rows;
    expect(event).toMatchObject({ action: 'items', changes: { item_added: [null, '2 × Labour, 2 × Pipe'] } });
  });

  it('can be saved to a price list, which creates a supplier named after the company only once', async () => {
    const { id } = await createJob();
    const job = await admin().jobs.addItems({ job_id: id, lines: [buildTypedLine(), buildTypedLine()] });
    const [first, second] = [getLine(job), getLine(job, 1)];
    const new_id = randomUUID();
    const listed = await admin().jobs.listItem({ id: first.id, new_id });
    expect(getLine(listed).supplier_item_id).toBe(new_id);
    expect((await admin().jobs.listItem({ id: first.id, new_id })).items).toEqual(listed.items);
    await expect(admin().jobs.listItem({ id: first.id, new_id: randomUUID() })).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    await admin().jobs.listItem({ id: second.id, new_id: randomUUID() });
    const { rows } = await admin().items.search({});
    expect(rows).toMatchObject([1, 2].map(() => ({ name: 'Labour', selling_price: '95.00', tax_inclusive: false })));
    expect(rows.map(({ sku }) => sku).toSorted()).toEqual(['LABOUR', 'LABOUR-2']);
    expect((await admin().suppliers.list({})).rows).toMatchObject([{ item_count: 2 }]);
    await expect(staff().jobs.listItem({ id: first.id, new_id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('can be saved to the price list of a chosen supplier', async () => {
    const { id } = await createJob();
    const { id: supplier_id } = await admin().suppliers.create(buildSupplier());
    const line = getLine(await admin().jobs.addItems({ job_id: id, lines: [buildTypedLine()] }));
    await admin().jobs.listItem({ id: line.id, new_id: randomUUID(), supplier_id });
    expect((await admin().items.search({})).rows).toMatchObject([{ name: 'Labour', supplier: { id: supplier_id } }]);
  });
});

describe('changing a line', () => {
  const addLine = async (overrides: Partial<LineInput> = {}) => {
    const { id } = await createJob();
    return getLine(await admin().jobs.addItems({ job_id: id, lines: [buildTypedLine(overrides)] }));
  };
  const buildChange = ({ id, version, name, tax_inclusive, is_service, unit_price, quantity }: Job['items'][number]) => ({
    id,
    version,
    name,
    tax_inclusive,
    is_service,
    unit_price,
    quantity: Number(quantity),
  });

  it('sets its name, quantity, price, tax and discount, and is recorded in the history', async () => {
    const line = await addLine();
    const change = { ...buildChange(line), name: 'Plumber', quantity: 3, unit_price: '100', tax_inclusive: true, discount_percent: '15' };
    const { item, job } = await admin().jobs.updateItem(change);
    expect(item).toEqual(getLine(job));
    expect(job.items).toMatchObject([
      {
        name: 'Plumber',
        quantity: '3',
        unit_price: '100.00',
        discount_percent: '15',
        discount: '45.00',
        total_price: '255.00',
        version: 2,
      },
    ]);
    expect(job.totals.total_amount).toBe('255.00');
    const [event] = (await admin().comments.history({ id: job.id })).rows;
    expect(event?.changes).toEqual({ item_changed: ['2 × Labour at 95.00', '3 × Plumber at 100.00 (Discount 15%: -45.00)'] });
  });

  it('fails if the line has changed since it was read', async () => {
    const line = await addLine();
    await admin().jobs.setQuantity({ id: line.id, quantity: 5 });
    await expect(admin().jobs.updateItem({ ...buildChange(line), unit_price: '80' })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { quantity: '5', unit_price: '95.00', version: 2 } },
    });
  });

  it('keeps a percentage when the quantity changes, and never lets an amount exceed the line', async () => {
    const percent = await addLine({ discount_percent: '10' });
    expect((await admin().jobs.setQuantity({ id: percent.id, quantity: 3 })).items).toMatchObject([
      { discount: '28.50', total_price: '256.50' },
    ]);
    const amount = await addLine({ discount_amount: '100' });
    expect((await admin().jobs.setQuantity({ id: amount.id, quantity: 1 })).items).toMatchObject([
      { discount: '95.00', total_price: '0.00' },
    ]);
    expect((await admin().jobs.setQuantity({ id: amount.id, quantity: 2 })).items).toMatchObject([
      { discount: '100.00', total_price: '90.00' },
    ]);
  });

  it('requires the right to manage payments, also for a discount on a new line', async () => {
    const line = await addLine();
    const { rows } = await admin().jobs.list({});
    const job_id = rows[0]?.id ?? '';
    await expect(staff().jobs.updateItem({ ...buildChange(line), unit_price: '1' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const discounted = { job_id, lines: [buildTypedLine({ discount_percent: '5' })] };
    await expect(staff().jobs.addItems(discounted)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { accountant } = firm.people;
    const { job } = await accountant.client.jobs.updateItem({ ...buildChange(line), unit_price: '1' });
    expect(job.totals.total_amount).toBe('2.30');
  });

  it('counts every press of + when several people press it at once, but a repeated request only once', async () => {
    const line = await addLine({ quantity: 1 });
    const changes = [admin(), staff()].map((person) => ({ person, change: { id: line.id, request_id: randomUUID(), by: 1 } }));
    await Promise.all(changes.map(({ person, change }) => person.jobs.changeQuantity(change)));
    const [first] = changes;
    const job = await first?.person.jobs.changeQuantity(first.change);
    expect(job?.items).toMatchObject([{ quantity: '3', total_price: '285.00' }]);
    const down = { id: line.id, request_id: randomUUID(), by: -9 };
    expect((await staff().jobs.changeQuantity(down)).items).toMatchObject([{ quantity: '1', total_price: '95.00' }]);
  });
});

it('shows the customer the discount on the public invoice, with the same total as on the job', async () => {
  const { id } = await createJob({ status: 'complete' });
  const lines = [
    buildTypedLine({ discount_percent: '12.5' }),
    buildTypedLine({ name: 'Pipe', discount_amount: '0.05', tax_inclusive: true }),
  ];
  const job = await admin().jobs.addItems({ job_id: id, lines });
  expect(job.items.map(({ total_price }) => total_price)).toEqual(['166.25', '189.95']);
  const billing = await admin().invoices.billing({ id });
  const token = billing.public_path.replace('/invoice/', '');
  const { document } = await test.client().publicInvoices.get({ token });
  expect(document.items.map(({ discount, total }) => [discount, total])).toEqual([
    ['Discount 12.5%: -23.75', '166.25'],
    ['Discount: -0.05', '189.95'],
  ]);
  expect([document.exact.amount, billing.document.exact.amount]).toEqual([job.totals.total_amount, job.totals.total_amount]);
  const sent = await admin().invoices.send({ id, mail_id: randomUUID(), by_hand: true });
  expect(sent.billing).toMatchObject({ differs: false, invoice: { total_amount: job.totals.total_amount } });
  const csv = await test.request('GET', '/api/invoices.csv', { cookie: firm.people.admin.cookie });
  expect(csv.body).toContain(job.totals.total_amount);
  const line = getLine(job);
  const { name, unit_price, tax_inclusive, is_service, version } = line;
  await admin().jobs.updateItem({
    id: line.id,
    name,
    unit_price,
    tax_inclusive,
    is_service,
    version,
    quantity: 2,
    discount_amount: '23.75',
  });
  // The total is the same, but the customer's copy says 12.5%.
  expect((await admin().invoices.billing({ id })).differs).toBe(true);
});

describe('the first items of a job with a fixed amount', () => {
  const lines = () => [buildTypedLine({ unit_price: '10.00', tax_inclusive: true })];

  it('are refused until someone says what happens to the fixed amount', async () => {
    const { id } = await createJob({ fixed_amount: '500' });
    await expect(admin().jobs.addItems({ job_id: id, lines: lines() })).rejects.toMatchObject({ code: 'FIXED_PRICE' });
    expect((await admin().jobs.get({ id })).totals.total_amount).toBe('500.00');
  });

  it('come on top, as a line named after the job, or replace the amount', async () => {
    const [kept, replaced] = [await createJob({ fixed_amount: '500' }), await createJob({ fixed_amount: '500' })];
    const input = { job_id: kept.id, lines: lines(), fixed_price: 'keep' } as const;
    const job = await staff().jobs.addItems(input);
    expect(job.items).toMatchObject([{ name: kept.title, total_price: '500.00', tax_inclusive: true }, { name: 'Labour' }]);
    expect(job.totals.total_amount).toBe('520.00');
    expect((await staff().jobs.addItems(input)).items).toHaveLength(2);
    expect((await staff().jobs.addItems({ job_id: kept.id, lines: lines() })).totals.total_amount).toBe('540.00');
    const replacing = { job_id: replaced.id, lines: lines(), fixed_price: 'replace' } as const;
    await expect(staff().jobs.addItems(replacing)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await admin().jobs.addItems(replacing)).totals.total_amount).toBe('20.00');
  });
});

describe('the lines of a paid job', () => {
  const { createJob: createBilledJob, recordPayment } = createBillingHelpers(() => ({ test, firm }));

  it('can be changed only by people who may manage payments', async () => {
    const job = await createBilledJob({ lines: [{ unit_price: '115.00' }] });
    await recordPayment(job.id);
    const { id } = getLine(job);
    const refusal = { code: 'JOB_PAID', message: 'This job is paid. Ask an admin, manager or accountant to change its items.' };
    const attempts = [
      () => staff().jobs.addItems({ job_id: job.id, lines: [buildTypedLine()] }),
      () => staff().jobs.setQuantity({ id, quantity: 2 }),
      () => staff().jobs.changeQuantity({ id, request_id: randomUUID(), by: 1 }),
      () => staff().jobs.removeItem({ id }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(refusal);
    expect(await admin().jobs.get({ id: job.id })).toMatchObject({ status: 'paid', totals: { total_amount: '115.00' } });
    expect(await admin().jobs.setQuantity({ id, quantity: 2 })).toMatchObject({ status: 'complete' });
  });
});

it('offers no items of inactive suppliers', async () => {
  const active = await admin().suppliers.create(buildSupplier());
  const inactive = await admin().suppliers.create(buildSupplier({ status: 'inactive' }));
  await admin().items.create(buildItem({ supplier_id: active.id, name: 'Tap' }));
  await admin().items.create(buildItem({ supplier_id: inactive.id, name: 'Tap, old' }));
  expect((await staff().items.search({})).rows.map(({ name }) => name)).toEqual(['Tap']);
  expect((await staff().items.search({ search: 'tap' })).rows.map(({ name }) => name)).toEqual(['Tap']);
});
