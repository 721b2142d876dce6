import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { sumMoney } from '@callout/domain/money/money';
import { DAY_MS } from '@callout/domain/time/time-units';
import { addDays, localDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlockedBy, withOwner } from '../../../test/database.ts';
import { addBilledJob, addFirmJob } from '../../../test/factories/billed-job.ts';
import { type NewJobInput, newCustomer, newTask } from '../../../test/factories/inputs.ts';
import { insertInvoices } from '../../../test/factories/invoice-rows.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
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
const dashboard = () => firm.people.staff.client.dashboard;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const addCategory = async (name: string) => (await admin().categories.create({ id: randomUUID(), name })).id;

const addJob = (over: Partial<NewJobInput> = {}) => addFirmJob(test, firm, over);

describe('the numbers of the tiles', () => {
  it('count active customers, jobs still to be done, active tasks, staff members and categories', async () => {
    const { customers } = admin();
    for (const name of ['Ana', 'Ben']) await customers.create(newCustomer({ name }));
    const { id, version } = await customers.create(newCustomer({ name: 'Cy' }));
    await customers.update({ ...newCustomer({ name: 'Cy' }), id, version, status: 'inactive' });
    await insertJobs(
      test,
      firm.companyId,
      JOB_STATUSES.map((status) => ({ title: status, status, created_at: daysAgo(1) })),
    );
    await test.owner.query(
      `insert into tasks (company_id, id, title, color, status, completed_at)
       select $1, gen_random_uuid(), 'Call', 'blue', status, case status when 'completed' then now() end
       from unnest(array['active', 'active', 'completed']) status`,
      [firm.companyId],
    );
    await addCategory('Gas');
    expect(await dashboard().counts()).toEqual({ customers: 2, active_jobs: 3, tasks: 2, staff: 4, categories: 1 });
  });
});

it('none of it counts what another company has', async () => {
  const neighbor = await createFirm(test, 'Neighbor');
  const { client } = neighbor.people.admin;
  const gas = await client.categories.create({ id: randomUUID(), name: 'Gas' });
  const statuses = JOB_STATUSES.map((status) => ({ title: status, status, created_at: daysAgo(1), category_id: gas.id }));
  await insertJobs(test, neighbor.companyId, statuses);
  await client.tasks.create(newTask());
  const billed = await addBilledJob(test, neighbor);
  await client.invoices.send({ id: billed.id, mail_id: randomUUID(), by_hand: true });
  await addBilledJob(test, neighbor);
  expect(await client.dashboard.money()).toMatchObject({ outstanding: { invoices: 1 }, uninvoiced: { amount: '115.00' } });
  expect(await dashboard().counts()).toEqual({ customers: 0, active_jobs: 0, tasks: 0, staff: 4, categories: 0 });
  expect((await dashboard().categories({})).rows).toEqual([]);
  expect(await dashboard().recentJobs({})).toEqual({ rows: [], total: 0 });
  const nothing = { amount: '0.00', invoices: 0 };
  expect(await admin().dashboard.money()).toMatchObject({
    outstanding: nothing,
    overdue: nothing,
    uninvoiced: { amount: '0.00', jobs: 0 },
  });
});

describe('jobs by category', () => {
  it('count a job once in each of its categories, the most first, without canceled ones and those without any', async () => {
    const [drains, gas, solar] = [await addCategory('Drains'), await addCategory('Gas'), await addCategory('Solar')];
    await addJob({ category_ids: [gas, drains] });
    await addJob({ category_ids: [gas] });
    await addJob({ category_ids: [] });
    await addJob({ category_ids: [solar], status: 'canceled' });
    expect((await dashboard().categories({})).rows).toEqual([
      { id: gas, name: 'Gas', jobs: 2 },
      { id: drains, name: 'Drains', jobs: 1 },
    ]);
  });

  it('count only jobs made in the period, both ends included', async () => {
    const gas = await addCategory('Gas');
    const from = '2026-03-02T00:00:00.000Z';
    const to = '2026-03-09T23:59:59.999Z';
    const seeds = [from, '2026-03-05T12:00:00.000Z', to, '2026-03-01T23:59:59.999Z', '2026-03-10T00:00:00.000Z'];
    await insertJobs(
      test,
      firm.companyId,
      seeds.map((created_at) => ({ title: created_at, created_at, category_id: gas })),
    );
    expect((await dashboard().categories({ created_from: from, created_to: to })).rows).toEqual([{ id: gas, name: 'Gas', jobs: 3 }]);
  });

  it('call a category without a name Unknown', async () => {
    const gas = await addCategory('Gas');
    await addJob({ category_ids: [gas] });
    await test.owner.query(`update categories set name = ' ' where id = $1`, [gas]);
    expect((await dashboard().categories({})).rows).toEqual([{ id: gas, name: 'Unknown', jobs: 1 }]);
  });
});

describe('recent jobs', () => {
  const titles = async (input: Parameters<ReturnType<typeof dashboard>['recentJobs']>[0]) =>
    (await dashboard().recentJobs(input)).rows.map(({ title }) => title);

  it('come by booking date in both directions, those without one last', async () => {
    await addJob({ title: 'Jan 5', booking_date: '2026-01-05T00:00:00.000Z' });
    await addJob({ title: 'Jan 9', booking_date: '2026-01-09T00:00:00.000Z' });
    const { id } = await addJob({ title: 'Some day' });
    await test.owner.query('update jobs set booking_date = null where id = $1', [id]);
    expect(await titles({})).toEqual(['Jan 9', 'Jan 5', 'Some day']);
    expect(await titles({ order: 'asc' })).toEqual(['Jan 5', 'Jan 9', 'Some day']);
  });

  it('are those made in the period, whenever they are booked for', async () => {
    await addJob({ title: 'Next year', booking_date: '2027-11-16T00:00:00.000Z' });
    await insertJobs(test, firm.companyId, [{ title: 'Old', created_at: daysAgo(8) }]);
    const week = { created_from: daysAgo(7), created_to: daysAgo(-1) };
    expect(await dashboard().recentJobs(week)).toMatchObject({ total: 1, rows: [{ title: 'Next year' }] });
  });

  it('have all that a row shows, and say how many there are beside the first twenty', async () => {
    const [gas, drains] = [await addCategory('Gas'), await addCategory('Drains')];
    const customer = await admin().customers.create(newCustomer({ type: 'company', name: 'Ana Ruiz', company_name: 'Ruiz Ltd' }));
    await addJob({ title: 'Tap', customer_id: customer.id, category_ids: [gas, drains], booking_date: '2026-12-01T20:00:00.000Z' });
    const others = Array.from({ length: 24 }, (_, index) => ({ title: `Job ${index}`, created_at: daysAgo(1) }));
    await insertJobs(test, firm.companyId, others);
    const { rows, total } = await dashboard().recentJobs({});
    expect([rows.length, total]).toEqual([20, 25]);
    expect(rows[0]).toMatchObject({
      title: 'Tap',
      status: 'booked',
      booking_date: '2026-12-01T20:00:00.000Z',
      customer: { id: customer.id, name: 'Ana Ruiz', company_name: 'Ruiz Ltd' },
      staff: { name: 'The staff' },
      categories: [{ name: 'Gas' }, { name: 'Drains' }],
    });
    expect(rows[1]).toMatchObject({ booking_date: null, customer: null, staff: null, categories: [] });
  });

  it('of an empty company are none', async () => {
    expect(await dashboard().recentJobs({})).toEqual({ rows: [], total: 0 });
  });
});

describe('the money', () => {
  const money = () => firm.people.accountant.client.dashboard.money();
  const nothing = { amount: '0.00', invoices: 0 };

  it('is not for staff', async () => {
    await expect(dashboard().money()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of an empty company is nothing, in its currency', async () => {
    expect(await money()).toEqual({ currency: 'NZD', outstanding: nothing, overdue: nothing, uninvoiced: { amount: '0.00', jobs: 0 } });
  });

  it('owed and late is what the list of invoices says', async () => {
    const today = localDate(new Date().toISOString(), 'UTC');
    await insertInvoices(test, firm.companyId, [
      { issued_on: addDays(today, -100), late_after: addDays(today, -93), total_amount: '1000.10' },
      { issued_on: addDays(today, -8), late_after: addDays(today, -1), total_amount: '115.00', paid_amount: '15.00' },
      { issued_on: today, late_after: today, total_amount: '0.07' },
      { issued_on: addDays(today, -50), total_amount: '500.00', paid_amount: '500.00' },
      { issued_on: addDays(today, -50), total_amount: '70.00', state: 'replaced' },
    ]);
    const { outstanding, overdue } = await money();
    expect(outstanding).toEqual({ amount: '1100.17', invoices: 3 });
    expect(overdue).toEqual({ amount: '1100.10', invoices: 2 });
    const { summary } = firm.people.accountant.client.invoices;
    const [all, late] = [await summary({}), await summary({ filter: 'overdue' })];
    expect(outstanding).toEqual({ amount: all.outstanding.amount, invoices: all.outstanding.count });
    expect(overdue).toEqual({ amount: late.outstanding.amount, invoices: late.outstanding.count });
  });

  it.each([
    ['Pacific/Kiritimati', { amount: '115.00', invoices: 1 }],
    ['Etc/GMT+12', nothing],
  ])('is late in %s by the day that it is there', async (timezone, late) => {
    await test.owner.query('update companies set timezone = $2 where company_id = $1', [firm.companyId, timezone]);
    // Where the day begins last; where it begins first it is a later one at any time.
    const today = localDate(new Date().toISOString(), 'Etc/GMT+12');
    await insertInvoices(test, firm.companyId, [{ issued_on: addDays(today, -8), late_after: today }]);
    expect((await money()).overdue).toEqual(late);
  });

  it('is of one moment: a job whose invoice is sent meanwhile is not counted twice', async () => {
    const { id } = await addBilledJob(test, firm);
    const today = localDate(new Date().toISOString(), 'UTC');
    const [invoice] = await insertInvoices(test, firm.companyId, [{ issued_on: today, state: 'replaced' }]);
    await withOwner(test.database, async (colleague) => {
      await colleague.query('begin');
      await colleague.query('lock table invoices');
      const asked = money();
      await waitUntilBlockedBy(test.database, colleague);
      await colleague.query('update jobs set billed_amount = 115 where id = $1', [id]);
      await colleague.query(`update invoices set state = 'open' where id = $1`, [invoice]);
      await colleague.query('commit');
      expect(await asked).toMatchObject({ outstanding: nothing, uninvoiced: { amount: '115.00', jobs: 1 } });
    });
    expect(await money()).toMatchObject({ outstanding: { amount: '115.00', invoices: 1 }, uninvoiced: { amount: '0.00', jobs: 0 } });
  });

  it('of work that was not invoiced is the sum of the totals on the pages of its jobs', async () => {
    const lines = [
      { unit_price: '10.03', tax_inclusive: false },
      { unit_price: '0.10', quantity: 3 },
    ];
    const jobs = [
      await addBilledJob(test, firm, { lines }),
      await addBilledJob(test, firm, { lines: [{ unit_price: '10.03', tax_inclusive: false }] }),
      await addBilledJob(test, firm, { fixed_amount: '200' }),
      await addBilledJob(test, firm, { job_type: 'hourly', fixed_amount: '999' }),
    ];
    await test.owner.query('update jobs set tax_rate = 10 where id = $1', [jobs[1]?.id]);
    await addBilledJob(test, firm, { status: 'booked' });
    const totals = await Promise.all(jobs.map(async ({ id }) => (await admin().jobs.get({ id })).totals.total_amount));
    expect(totals).toEqual(['11.83', '11.03', '200.00', '0.00']);
    expect((await money()).uninvoiced).toEqual({ amount: sumMoney(totals), jobs: 4 });
  });

  it('no longer counts a job as not invoiced once its invoice was sent', async () => {
    const { id } = await addBilledJob(test, firm);
    expect((await money()).uninvoiced).toEqual({ amount: '115.00', jobs: 1 });
    await firm.people.accountant.client.invoices.send({ id, mail_id: randomUUID(), by_hand: true });
    const billed = { outstanding: { amount: '115.00', invoices: 1 }, uninvoiced: { amount: '0.00', jobs: 0 } };
    expect(await money()).toMatchObject(billed);
    await admin().jobs.setStatus({ id, status: 'complete' });
    expect(await money()).toMatchObject(billed);
  });
});
