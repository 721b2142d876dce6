import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFirmJob, readStaffId } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildItem, buildJob, buildSupplier } from '../../../test/factories/inputs.ts';
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

/** Creates a booked job with a price list item, a discounted line typed by hand, a comment, worked time, an invoice and a payment. */
async function createFullJob() {
  const { suppliers, items, categories, customers, jobs, comments, timer, invoices, payments } = admin();
  const supplier = await suppliers.create(buildSupplier());
  const item = await items.create(buildItem({ supplier_id: supplier.id, pricing_method: 'fixed', fixed_price: '115' }));
  const [plumbing, heating] = [
    await categories.create({ id: randomUUID(), name: 'Plumbing' }),
    await categories.create({ id: randomUUID(), name: 'Heating' }),
  ];
  const customer = await customers.create(buildCustomer({ address: '1 Main St' }));
  const { id } = await jobs.create(
    buildJob({
      title: 'Boiler service',
      description: 'Yearly service',
      customer_id: customer.id,
      staff_id: await readStaffId(test, firm),
      category_ids: [heating.id, plumbing.id],
      use_alternate_address: true,
      address: '2 Side St',
      duration: '1.5',
      job_type: 'hourly',
      hourly_rate: '80',
      hourly_rate_confirmed: true,
    }),
  );
  const picked = { id: randomUUID(), supplier_item_id: item.id, quantity: 2.5 };
  const typed = { id: randomUUID(), name: 'Travel', unit_price: '50', quantity: 1, tax_inclusive: false, is_service: true };
  await jobs.addItems({ job_id: id, lines: [picked, { ...typed, discount_percent: '10' }] });
  await comments.add({ id: randomUUID(), job_id: id, content: 'Bring the ladder', file_ids: [] });
  await timer.add({ id: randomUUID(), job_id: id, started_at: '2026-01-05T08:00:00.000Z', ended_at: '2026-01-05T09:00:00.000Z' });
  await timer.allocate({ id: randomUUID(), job_id: id, supplier_item_id: item.id, quantity: 1 });
  await jobs.setStatus({ id, status: 'complete' });
  await invoices.send({ id, mail_id: randomUUID(), by_hand: true });
  await payments.record({ id: randomUUID(), job_id: id, amount: '15' });
  return { job: await jobs.get({ id }), itemId: item.id };
}

describe('duplicating a job', () => {
  it('copies the work and its price, but no date, time, comments, invoice or payments', async () => {
    const { job } = await createFullJob();
    const copy = await admin().jobs.duplicate({ id: job.id, new_id: randomUUID() });
    expect(copy).toMatchObject({
      title: 'Boiler service',
      description: 'Yearly service',
      status: 'pending',
      booking_date: null,
      duration: '1.50',
      address: '2 Side St',
      job_type: 'hourly',
      hourly_rate: '80.00',
      hourly_rate_confirmed: true,
      customer_id: job.customer_id,
      staff_id: job.staff_id,
      quote_id: null,
      quote_number: null,
      billed_amount: null,
      paid_amount: '0.00',
      deposit_amount: null,
      timer: { timer_status: null, finished_seconds: 0, allocated_seconds: 0, running: [] },
      version: 1,
    });
    expect(copy.categories.map(({ name }) => name)).toEqual(['Heating', 'Plumbing']);
    expect(copy.job_number).not.toBe(job.job_number);
    expect((await admin().comments.list({ job_id: copy.id })).rows).toEqual([]);
  });

  it('gives the copy its own lines with their discounts, without the line that bills tracked time', async () => {
    const { job, itemId } = await createFullJob();
    expect(job.items).toHaveLength(3);
    const copy = await admin().jobs.duplicate({ id: job.id, new_id: randomUUID() });
    const picked = { name: 'Kitchen mixer tap', supplier_item_id: itemId, quantity: '2.5', unit_price: '115.00', total_price: '287.50' };
    const typed = {
      name: 'Travel',
      tax_inclusive: false,
      is_service: true,
      discount_percent: '10',
      discount: '5.00',
      total_price: '45.00',
    };
    expect(copy.items).toMatchObject([
      { ...picked, cost_price: job.items[0]?.cost_price },
      { ...typed, supplier_item_id: null },
    ]);
    await admin().jobs.removeItem({ id: copy.items[0]?.id ?? '' });
    expect((await admin().jobs.get({ id: job.id })).items).toEqual(job.items);
  });

  it('uses the current tax rate, even if the original was invoiced at an older one', async () => {
    const { job } = await createFullJob();
    await test.owner.query('update companies set gst_percentage = 20 where company_id = $1', [firm.companyId]);
    expect((await admin().jobs.get({ id: job.id })).tax_rate).toBe('15');
    expect((await admin().jobs.duplicate({ id: job.id, new_id: randomUUID() })).tax_rate).toBe('20');
  });

  it('creates one copy per id, even for concurrent requests and after the original is deleted', async () => {
    const job = await createFirmJob(test, firm);
    const new_id = randomUUID();
    const duplicate = () => admin().jobs.duplicate({ id: job.id, new_id });
    const copies = await Promise.all([duplicate(), duplicate(), duplicate()]);
    expect(new Set(copies.map(({ job_number }) => job_number)).size).toBe(1);
    expect((await admin().jobs.list({})).rows).toHaveLength(2);
    await admin().jobs.remove({ id: job.id });
    expect((await duplicate()).id).toBe(new_id);
    await expect(admin().jobs.duplicate({ id: job.id, new_id: randomUUID() })).rejects.toMatchObject({ message: 'Job not found' });
  });

  it('fails if the id belongs to another job', async () => {
    const [job, other] = [await createFirmJob(test, firm), await createFirmJob(test, firm)];
    await expect(admin().jobs.duplicate({ id: job.id, new_id: other.id })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('copies a job without a customer and without an assigned person', async () => {
    const job = await createFirmJob(test, firm, { fixed_amount: '500' });
    await admin().customers.remove({ id: job.customer_id ?? '' });
    await test.owner.query('update jobs set staff_id = null where id = $1', [job.id]);
    const copy = await admin().jobs.duplicate({ id: job.id, new_id: randomUUID() });
    expect(copy).toMatchObject({ customer_id: null, staff_id: null, fixed_amount: '500.00', totals: { total_amount: '500.00' } });
  });

  it('is recorded in the history of both jobs, and tells the assigned person', async () => {
    const job = await createFirmJob(test, firm);
    const copy = await admin().jobs.duplicate({ id: job.id, new_id: randomUUID() });
    const readLatestEvent = async (id: string) => (await admin().comments.history({ id })).rows[0];
    expect(await readLatestEvent(copy.id)).toMatchObject({ action: 'created', changes: { copied_from: [null, job.job_number] } });
    expect(await readLatestEvent(job.id)).toMatchObject({ action: 'copied', changes: { copied_to: [null, copy.job_number] } });
    const { rows } = await firm.people.staff.client.notifications.list({});
    expect(rows[0]?.message).toBe(`You have been assigned to job #${copy.job_number}: ${job.title}`);
  });

  it.each(['manager', 'accountant', 'staff'] as const)('is open to the role %s, which may create jobs', async (role) => {
    const { job } = await createFullJob();
    const copy = await firm.people[role].client.jobs.duplicate({ id: job.id, new_id: randomUUID() });
    expect(copy.items.map(({ discount }) => discount)).toEqual(['0.00', '5.00']);
    expect(copy.items[0]?.cost_price === undefined).toBe(role === 'staff');
  });
});
