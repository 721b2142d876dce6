import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { sumMoney } from '@callout/domain/money/money';
import { DAY_MS } from '@callout/domain/time/time-units';
import { addDays, toLocalDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlockedBy, withOwnerClient } from '../../../test/database.ts';
import { createBilledJob, createFirmJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildTask, type NewJobInput } from '../../../test/factories/inputs.ts';
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

const getAdmin = () => firm.people.admin.client;
const getDashboard = () => firm.people.staff.client.dashboard;
const getInstantDaysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const createCategory = async (name: string) => (await getAdmin().categories.create({ id: randomUUID(), name })).id;

const createJob = (over: Partial<NewJobInput> = {}) => createFirmJob(test, firm, over);

describe('the dashboard counts', () => {
  it('include active customers, jobs and tasks, all staff members and all categories', async () => {
    const { customers } = getAdmin();
    for (const name of ['Ana', 'Ben']) await customers.create(buildCustomer({ name }));
    const { id, version } = await customers.create(buildCustomer({ name: 'Cy' }));
    await customers.update({ ...buildCustomer({ name: 'Cy' }), id, version, status: 'inactive' });
    await insertJobs(
      test,
      firm.companyId,
      JOB_STATUSES.map((status) => ({ title: status, status, created_at: getInstantDaysAgo(1) })),
    );
    await test.owner.query(
      `insert into tasks (company_id, id, title, color, status, completed_at)
       select $1, gen_random_uuid(), 'Call', 'blue', status, case status when 'completed' then now() end
       from unnest(array['active', 'active', 'completed']) status`,
      [firm.companyId],
    );
    await createCategory('Gas');
    expect(await getDashboard().counts()).toEqual({ customers: 2, active_jobs: 3, tasks: 2, staff: 4, categories: 1 });
  });
});

it('the dashboard excludes other companies’ data', async () => {
  const neighbor = await createFirm(test, 'Neighbor');
  const { client } = neighbor.people.admin;
  const gas = await client.categories.create({ id: randomUUID(), name: 'Gas' });
  const statuses = JOB_STATUSES.map((status) => ({ title: status, status, created_at: getInstantDaysAgo(1), category_id: gas.id }));
  await insertJobs(test, neighbor.companyId, statuses);
  await client.tasks.create(buildTask());
  const billed = await createBilledJob(test, neighbor);
  await client.invoices.send({ id: billed.id, mail_id: randomUUID(), by_hand: true });
  await createBilledJob(test, neighbor);
  expect(await client.dashboard.money()).toMatchObject({ outstanding: { invoices: 1 }, uninvoiced: { amount: '115.00' } });
  expect(await getDashboard().counts()).toEqual({ customers: 0, active_jobs: 0, tasks: 0, staff: 4, categories: 0 });
  expect((await getDashboard().categories({})).rows).toEqual([]);
  expect(await getDashboard().recentJobs({})).toEqual({ rows: [], total: 0 });
  const NOTHING = { amount: '0.00', invoices: 0 };
  expect(await getAdmin().dashboard.money()).toMatchObject({
    outstanding: NOTHING,
    overdue: NOTHING,
    uninvoiced: { amount: '0.00', jobs: 0 },
  });
});

describe('jobs by category', () => {
  it('count a job in each of its categories, largest first, and ignore canceled jobs', async () => {
    const [drains, gas, solar] = [await createCategory('Drains'), await createCategory('Gas'), await createCategory('Solar')];
    await createJob({ category_ids: [gas, drains] });
    await createJob({ category_ids: [gas] });
    await createJob({ category_ids: [] });
    await createJob({ category_ids: [solar], status: 'canceled' });
    expect((await getDashboard().categories({})).rows).toEqual([
      { id: gas, name: 'Gas', jobs: 2 },
      { id: drains, name: 'Drains', jobs: 1 },
    ]);
  });

  it('count only jobs created in the period, including both ends', async () => {
    const gas = await createCategory('Gas');
    const from = '2026-03-02T00:00:00.000Z';
    const to = '2026-03-09T23:59:59.999Z';
    const seeds = [from, '2026-03-05T12:00:00.000Z', to, '2026-03-01T23:59:59.999Z', '2026-03-10T00:00:00.000Z'];
    await insertJobs(
      test,
      firm.companyId,
      seeds.map((created_at) => ({ title: created_at, created_at, category_id: gas })),
    );
    expect((await getDashboard().categories({ created_from: from, created_to: to })).rows).toEqual([{ id: gas, name: 'Gas', jobs: 3 }]);
  });

  it('report the jobs without a category separately, in the same period and without canceled jobs', async () => {
    await createJob({ category_ids: [] });
    await createJob({ category_ids: [], status: 'canceled' });
    await createJob({ category_ids: [await createCategory('Gas')] });
    expect(await getDashboard().categories({})).toMatchObject({ rows: [{ jobs: 1 }], uncategorized: 1 });
    const past = { created_from: getInstantDaysAgo(20), created_to: getInstantDaysAgo(10) };
    expect(await getDashboard().categories(past)).toEqual({ rows: [], uncategorized: 0 });
  });

  it("display a category without a name as 'Unknown'", async () => {
    const gas = await createCategory('Gas');
    await createJob({ category_ids: [gas] });
    await test.owner.query(`update categories set name = ' ' where id = $1`, [gas]);
    expect((await getDashboard().categories({})).rows).toEqual([{ id: gas, name: 'Unknown', jobs: 1 }]);
  });
});

describe('recent jobs', () => {
  const listTitles = async (input: Parameters<ReturnType<typeof getDashboard>['recentJobs']>[0]) =>
    (await getDashboard().recentJobs(input)).rows.map(({ title }) => title);

  it('are sorted by booking date in both directions, with undated jobs last', async () => {
    await createJob({ title: 'Jan 5', booking_date: '2026-01-05T00:00:00.000Z' });
    await createJob({ title: 'Jan 9', booking_date: '2026-01-09T00:00:00.000Z' });
    const { id } = await createJob({ title: 'Some day' });
    await test.owner.query('update jobs set booking_date = null where id = $1', [id]);
    expect(await listTitles({})).toEqual(['Jan 9', 'Jan 5', 'Some day']);
    expect(await listTitles({ order: 'asc' })).toEqual(['Jan 5', 'Jan 9', 'Some day']);
  });

  it('were created in the period, regardless of their booking date', async () => {
    await createJob({ title: 'Next year', booking_date: '2027-11-16T00:00:00.000Z' });
    await insertJobs(test, firm.companyId, [{ title: 'Old', created_at: getInstantDaysAgo(8) }]);
    const week = { created_from: getInstantDaysAgo(7), created_to: getInstantDaysAgo(-1) };
    expect(await getDashboard().recentJobs(week)).toMatchObject({ total: 1, rows: [{ title: 'Next year' }] });
  });

  it('include all displayed fields, and the total count beyond the first twenty', async () => {
    const [gas, drains] = [await createCategory('Gas'), await createCategory('Drains')];
    const customer = await getAdmin().customers.create(buildCustomer({ type: 'company', name: 'Ana Ruiz', company_name: 'Ruiz Ltd' }));
    await createJob({ title: 'Tap', customer_id: customer.id, category_ids: [gas, drains], booking_date: '2026-12-01T20:00:00.000Z' });
    const others = Array.from({ length: 24 }, (_, index) => ({ title: `Job ${index}`, created_at: getInstantDaysAgo(1) }));
    await insertJobs(test, firm.companyId, others);
    const { rows, total } = await getDashboard().recentJobs({});
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

  it('are empty for a new company', async () => {
    expect(await getDashboard().recentJobs({})).toEqual({ rows: [], total: 0 });
  });
});

describe('the money summary', () => {
  const readMoney = () => firm.people.accountant.client.dashboard.money();
  const NOTHING = { amount: '0.00', invoices: 0 };

  it('is forbidden to staff', async () => {
    await expect(getDashboard().money()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is zero for a new company, in its currency', async () => {
    expect(await readMoney()).toEqual({
      currency: 'NZD',
      outstanding: NOTHING,
      overdue: NOTHING,
      unsent: NOTHING,
      uninvoiced: { amount: '0.00', jobs: 0 },
    });
  });

  it('leaves out uninvoiced jobs in a currency that the company had before', async () => {
    await createBilledJob(test, firm);
    const { id } = await createBilledJob(test, firm);
    await test.owner.query(`update jobs set currency = 'EUR' where id = $1`, [id]);
    expect(await readMoney()).toMatchObject({ currency: 'NZD', uninvoiced: { amount: '115.00', jobs: 1 } });
  });

  it('has the same outstanding and overdue amounts as the invoice list', async () => {
    const today = toLocalDate(new Date().toISOString(), 'UTC');
    await insertInvoices(test, firm.companyId, [
      { issued_on: addDays(today, -100), late_after: addDays(today, -93), total_amount: '1000.10' },
      { issued_on: addDays(today, -8), late_after: addDays(today, -1), total_amount: '115.00', paid_amount: '15.00' },
      { issued_on: today, late_after: today, total_amount: '0.07' },
      { issued_on: addDays(today, -50), total_amount: '500.00', paid_amount: '500.00' },
      { issued_on: addDays(today, -50), total_amount: '70.00', state: 'replaced' },
    ]);
    const { outstanding, overdue } = await readMoney();
    expect(outstanding).toEqual({ amount: '1100.17', invoices: 3 });
    expect(overdue).toEqual({ amount: '1100.10', invoices: 2 });
    const { summary } = firm.people.accountant.client.invoices;
    const [all, late] = [await summary({}), await summary({ filter: 'overdue' })];
    expect(outstanding).toEqual({ amount: all.outstanding.amount, invoices: all.outstanding.count });
    expect(overdue).toEqual({ amount: late.outstanding.amount, invoices: late.outstanding.count });
  });

  it.each([
    ['Pacific/Kiritimati', { amount: '115.00', invoices: 1 }],
    ['Etc/GMT+12', NOTHING],
  ])('uses the current date in %s for overdue invoices', async (timezone, expected) => {
    await test.owner.query('update companies set timezone = $2 where company_id = $1', [firm.companyId, timezone]);
    // Etc/GMT+12 is the last time zone to start a new day. Kiritimati, the first, is always at least a day ahead.
    const today = toLocalDate(new Date().toISOString(), 'Etc/GMT+12');
    await insertInvoices(test, firm.companyId, [{ issued_on: addDays(today, -8), late_after: today }]);
    expect((await readMoney()).overdue).toEqual(expected);
  });

  it('is a snapshot that never counts a job twice while its invoice is sent', async () => {
    const { id } = await createBilledJob(test, firm);
    const today = toLocalDate(new Date().toISOString(), 'UTC');
    const [invoice] = await insertInvoices(test, firm.companyId, [{ issued_on: today, state: 'replaced' }]);
    await withOwnerClient(test.database, async (colleague) => {
      await colleague.query('begin');
      await colleague.query('lock table invoices');
      const pending = readMoney();
      await waitUntilBlockedBy(test.database, colleague);
      await colleague.query('update jobs set billed_amount = 115 where id = $1', [id]);
      await colleague.query(`update invoices set state = 'open' where id = $1`, [invoice]);
      await colleague.query('commit');
      expect(await pending).toMatchObject({ outstanding: NOTHING, uninvoiced: { amount: '115.00', jobs: 1 } });
    });
    expect(await readMoney()).toMatchObject({ outstanding: { amount: '115.00', invoices: 1 }, uninvoiced: { amount: '0.00', jobs: 0 } });
  });

  it('sums uninvoiced work from the totals that the job pages show', async () => {
    const lines = [
      { unit_price: '10.03', tax_inclusive: false },
      { unit_price: '0.10', quantity: 3 },
    ];
    const jobs = [
      await createBilledJob(test, firm, { lines }),
      await createBilledJob(test, firm, { lines: [{ unit_price: '10.03', tax_inclusive: false }] }),
      await createBilledJob(test, firm, { fixed_amount: '200' }),
      await createBilledJob(test, firm, { job_type: 'hourly', fixed_amount: '999' }),
    ] as const;
    await test.owner.query(`update jobs set quote_number = 'Q26110001', tax_rate = 10 where id = $1`, [jobs[1].id]);
    await getAdmin().jobs.setStatus({ id: jobs[1].id, status: 'invoiced' });
    await createBilledJob(test, firm, { status: 'booked' });
    const totals = await Promise.all(jobs.map(async ({ id }) => (await getAdmin().jobs.get({ id })).totals.total_amount));
    expect(totals).toEqual(['11.83', '11.03', '200.00', '0.00']);
    expect((await readMoney()).uninvoiced).toEqual({ amount: sumMoney(totals), jobs: 4 });
  });

  it('excludes a job from uninvoiced work once its invoice is sent', async () => {
    const { id } = await createBilledJob(test, firm);
    expect((await readMoney()).uninvoiced).toEqual({ amount: '115.00', jobs: 1 });
    await firm.people.accountant.client.invoices.send({ id, mail_id: randomUUID(), by_hand: true });
    const billed = { outstanding: { amount: '115.00', invoices: 1 }, uninvoiced: { amount: '0.00', jobs: 0 } };
    expect(await readMoney()).toMatchObject(billed);
    await getAdmin().jobs.setStatus({ id, status: 'complete' });
    expect(await readMoney()).toMatchObject(billed);
  });

  it('counts a job marked as invoiced by hand as uninvoiced work until it has an invoice or is paid', async () => {
    const jobs = [await createBilledJob(test, firm), await createBilledJob(test, firm)] as const;
    for (const { id } of jobs) await firm.people.staff.client.jobs.setStatus({ id, status: 'invoiced', from: 'complete' });
    expect((await readMoney()).uninvoiced).toEqual({ amount: '230.00', jobs: 2 });
    await getAdmin().invoices.send({ id: jobs[0].id, mail_id: randomUUID(), by_hand: true });
    expect((await readMoney()).uninvoiced).toEqual({ amount: '115.00', jobs: 1 });
    await getAdmin().jobs.setStatus({ id: jobs[1].id, status: 'paid' });
    expect((await readMoney()).uninvoiced).toEqual({ amount: '0.00', jobs: 0 });
  });
});
