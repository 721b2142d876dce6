import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFirmJob } from '../../../test/factories/billed-job.ts';
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
const buildTypedLine = (overrides: object = {}) => ({ id: randomUUID(), name: 'Labour', unit_price: '95.00', ...overrides });
const getLine = ({ items }: Job, index = 0) => items[index] ?? expect.fail('The job has no such line');
const buildInvalidInput = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });

describe("the line that holds a job's fixed amount", () => {
  it('can be changed and removed only by people who may manage payments', async () => {
    const { id } = await createJob({ fixed_amount: '500' });
    const job = await staff().jobs.addItems({ job_id: id, lines: [buildTypedLine()], fixed_price: 'keep' });
    expect(job.items.map(({ is_fixed_price }) => is_fixed_price)).toEqual([true, false]);
    const line = getLine(job);
    const refusal = {
      code: 'FIXED_PRICE',
      message: "This is the job's fixed price. Ask an admin, manager or accountant to change it.",
    };
    const attempts = [
      () => staff().jobs.removeItem({ id: line.id }),
      () => staff().jobs.setQuantity({ id: line.id, quantity: 2 }),
      () => staff().jobs.changeQuantity({ id: line.id, request_id: randomUUID(), by: 1 }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(refusal);
    expect((await staff().jobs.removeItem({ id: getLine(job, 1).id })).totals.total_amount).toBe('500.00');
    const { accountant } = firm.people;
    expect((await accountant.client.jobs.removeItem({ id: line.id })).items).toEqual([]);
    const restored = { id: line.id, name: line.name, unit_price: line.unit_price, is_fixed_price: true };
    const input = { job_id: id, lines: [restored] };
    await expect(staff().jobs.addItems({ ...input, fixed_price: 'keep' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await accountant.client.jobs.addItems({ ...input, fixed_price: 'replace' })).items).toMatchObject([
      { total_price: '500.00', is_fixed_price: true },
    ]);
  });

  it('is still protected on a copy of the job', async () => {
    const { id } = await createJob({ fixed_amount: '500' });
    await staff().jobs.addItems({ job_id: id, lines: [buildTypedLine()], fixed_price: 'keep' });
    const copy = await admin().jobs.duplicate({ id, new_id: randomUUID() });
    await expect(staff().jobs.removeItem({ id: getLine(copy).id })).rejects.toMatchObject({ code: 'FIXED_PRICE' });
  });
});

describe('an item from the price list', () => {
  const createItem = async (overrides: object = {}) => {
    const { id: supplier_id } = await admin().suppliers.create(buildSupplier());
    return admin().items.create(buildItem({ supplier_id, pricing_method: 'fixed', fixed_price: '115', ...overrides }));
  };

  it('is added below its list price only by people who may manage payments', async () => {
    const [{ id: job_id }, { id: supplier_item_id }] = [await createJob(), await createItem()];
    const add = (unit_price: string, person = staff()) =>
      person.jobs.addItems({ job_id, lines: [{ id: randomUUID(), supplier_item_id, unit_price }] });
    await expect(add('114.99')).rejects.toMatchObject(
      buildInvalidInput({ unit_price: 'The list price is 115.00 inc GST. Ask an admin, manager or accountant to lower it.' }),
    );
    await add('115');
    await add('130');
    expect((await add('1', firm.people.accountant.client)).items.map(({ unit_price }) => unit_price)).toEqual(['115.00', '130.00', '1.00']);
  });

  it('keeps its GST when a staff member adds it', async () => {
    const [{ id: job_id }, { id: supplier_item_id }] = [await createJob(), await createItem({ tax_inclusive: false })];
    const line = { id: randomUUID(), supplier_item_id, tax_inclusive: true };
    await expect(staff().jobs.addItems({ job_id, lines: [line] })).rejects.toMatchObject(
      buildInvalidInput({ unit_price: 'The list price is 115.00 exc GST. Ask an admin, manager or accountant to lower it.' }),
    );
    expect((await admin().jobs.addItems({ job_id, lines: [line] })).totals.total_amount).toBe('115.00');
  });
});

it('adds the lines that a repeated request names for the first time', async () => {
  const { id: job_id } = await createJob();
  const [tap, pipe] = [buildTypedLine({ name: 'Tap' }), buildTypedLine({ name: 'Pipe' })];
  await admin().jobs.addItems({ job_id, lines: [tap] });
  const job = await admin().jobs.addItems({ job_id, lines: [tap, pipe] });
  expect(job.items.map(({ name }) => name)).toEqual(['Tap', 'Pipe']);
  const [event] = (await admin().comments.history({ id: job_id })).rows;
  expect(event?.changes).toEqual({ item_added: [null, '1 × Pipe'] });
});

it('does not apply a late retry of - that changed nothing at 1', async () => {
  const { id: job_id } = await createJob();
  const { id } = getLine(await admin().jobs.addItems({ job_id, lines: [buildTypedLine()] }));
  const decrease = { id, request_id: randomUUID(), by: -1 };
  expect((await staff().jobs.changeQuantity(decrease)).items).toMatchObject([{ quantity: '1' }]);
  await admin().jobs.changeQuantity({ id, request_id: randomUUID(), by: 1 });
  expect((await staff().jobs.changeQuantity(decrease)).items).toMatchObject([{ quantity: '2' }]);
  const { rows } = await admin().comments.history({ id: job_id });
  expect(rows.map(({ action }) => action)).toEqual(['items', 'items', 'created']);
});

it('a line that bills time keeps its exact total when it is renamed or discounted', async () => {
  const { id: job_id } = await createJob({ job_type: 'hourly', hourly_rate: '60' });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const ended_at = hoursAgo(1);
  const started_at = new Date(Date.parse(ended_at) - 6_000_000).toISOString();
  await staff().timer.add({ id: randomUUID(), job_id, started_at, ended_at });
  const typed = { supplier_item_id: null, name: 'Labour', hourly_rate: '60' };
  const billed = getLine(await staff().timer.allocate({ id: randomUUID(), job_id, ...typed, quantity: 3 }));
  expect(billed).toMatchObject({ unit_price: '33.33', total_price: '100.00' });
  const { id, tax_inclusive, is_service, unit_price } = billed;
  const change = { id, tax_inclusive, is_service, unit_price, quantity: 3, name: 'Plumber' };
  const { item: renamed } = await admin().jobs.updateItem({ ...change, version: billed.version });
  expect(renamed).toMatchObject({ name: 'Plumber', total_price: '100.00' });
  const { item } = await admin().jobs.updateItem({ ...change, version: renamed.version, discount_percent: '10' });
  expect(item).toMatchObject({ discount: '10.00', total_price: '90.00' });
});

describe('saving a line to the price list', () => {
  const addTypedLine = async () => {
    const { id: job_id } = await createJob();
    return getLine(await admin().jobs.addItems({ job_id, lines: [buildTypedLine()] }));
  };

  it('creates one supplier when two people save their first items at the same time', async () => {
    const lines = [await addTypedLine(), await addTypedLine(), await addTypedLine(), await addTypedLine()];
    await Promise.all(lines.map(({ id }) => admin().jobs.listItem({ id, new_id: randomUUID() })));
    expect((await admin().suppliers.list({})).rows).toMatchObject([{ item_count: 4 }]);
  });

  it('does not use the supplier named after the company while it is inactive, so that the item can be picked', async () => {
    const company_name = (await admin().company.me()).profile?.company_name ?? '';
    await admin().suppliers.create(buildSupplier({ company_name, status: 'inactive' }));
    const { id } = await addTypedLine();
    await admin().jobs.listItem({ id, new_id: randomUUID() });
    expect((await staff().items.search({})).rows).toMatchObject([{ name: 'Labour', supplier: { company_name } }]);
  });
});
