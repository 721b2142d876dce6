import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { updateJobSortKeys } from './update-job-sort-keys.ts';

let test: TestApp;
let firm: Firm;
let customer: Awaited<ReturnType<ReturnType<typeof admin>['customers']['create']>>;
let [adminId, staffId] = ['', ''];

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customer = await admin().customers.create(buildCustomer({ name: 'Miles' }));
  adminId = (await admin().staff.myDetails()).id;
  staffId = (await firm.people.staff.client.staff.myDetails()).id;
});

const admin = () => firm.people.admin.client;
const createJob = (overrides: object = {}) => admin().jobs.create(buildJob({ customer_id: customer.id, staff_id: staffId, ...overrides }));
const createCategory = async (name: string) => (await admin().categories.create({ id: randomUUID(), name })).id;
const listTitles = async (sort: 'customer' | 'staff' | 'category') =>
  (await admin().jobs.list({ sort, order: 'asc' })).rows.map(({ title }) => title);

async function renameMe(name: string): Promise<void> {
  const { staff } = firm.people.staff.client;
  await staff.updateMyDetails({ ...(await staff.myDetails()), name });
}

const renameCustomer = async (name: string) => {
  customer = await admin().customers.update({ ...customer, type: 'individual', name });
};

/** Returns the distinct sort keys of the company's jobs. */
async function listSortKeys(column: 'customer_key' | 'staff_key' | 'category_key'): Promise<(string | null)[]> {
  const { rows } = await test.app.platform.pools.system.query<{ key: string | null }>(
    `select distinct ${column} as key from jobs where company_id = $1 order by 1`,
    [firm.companyId],
  );
  return rows.map(({ key }) => key);
}

const countQueuedTasks = async () => {
  const { rows } = await test.owner.query(`select from graphile_worker.jobs where key like $1`, [`name-jobs %${firm.companyId}%`]);
  return rows.length;
};

/** Locks all of the company's jobs, as a save in progress would. Returns a function that releases the locks. */
async function lockAllJobs(): Promise<() => Promise<void>> {
  const client = await test.app.platform.pools.system.connect();
  await client.query('begin');
  await client.query('select from jobs where company_id = $1 for update', [firm.companyId]);
  return async () => {
    await client.query('commit');
    client.release();
  };
}

it('sorts jobs by the new name of a renamed customer, staff member or main category', async () => {
  const [drains, gas] = [await createCategory('Drains'), await createCategory('Gas')];
  const other = await admin().customers.create(buildCustomer({ name: 'Bea' }));
  await createJob({ title: 'First', customer_id: other.id, staff_id: adminId, category_ids: [drains, gas] });
  await createJob({ title: 'Second', category_ids: [gas] });
  for (const sort of ['customer', 'staff', 'category'] as const) expect(await listTitles(sort)).toEqual(['First', 'Second']);
  await renameMe('Aaron');
  await renameCustomer('Aaron');
  await admin().categories.update({ id: gas, version: 1, name: 'Boilers' });
  for (const sort of ['customer', 'staff', 'category'] as const) await expect.poll(() => listTitles(sort)).toEqual(['Second', 'First']);
});

it('a rename succeeds while jobs are locked, and jobs created during the lock get the new name', async () => {
  const gas = await createCategory('Gas');
  await createJob({ category_ids: [gas] });
  const releaseJobs = await lockAllJobs();
  try {
    await renameMe('Aaron');
    await renameCustomer('Abel');
    await admin().categories.update({ id: gas, version: 1, name: 'Air' });
    await createJob({ category_ids: [gas] });
    expect(await listSortKeys('staff_key')).toEqual(['aaron', 'the staff']);
    expect(await listSortKeys('customer_key')).toEqual(['abel', 'miles']);
    expect(await listSortKeys('category_key')).toEqual(['air', 'gas']);
  } finally {
    await releaseJobs();
  }
  await expect.poll(() => listSortKeys('staff_key')).toEqual(['aaron']);
  await expect.poll(() => listSortKeys('customer_key')).toEqual(['abel']);
  await expect.poll(() => listSortKeys('category_key')).toEqual(['air']);
});

it('applies the last of several renames made while a job is locked', async () => {
  await createJob();
  const releaseJobs = await lockAllJobs();
  try {
    await renameMe('Aaron');
    await renameMe('Zoë');
    await renameMe('Aaron');
  } finally {
    await releaseJobs();
  }
  await expect.poll(() => listSortKeys('staff_key')).toEqual(['aaron']);
  await expect.poll(countQueuedTasks).toBe(0);
  expect(await listSortKeys('staff_key')).toEqual(['aaron']);
});

it('updates every job across several batches, including jobs created at the same instant', async () => {
  const gas = await createCategory('Gas');
  const seeds = Array.from({ length: 1200 }, (_, index) => ({
    title: `Job ${index}`,
    created_at: `2026-01-0${1 + (index % 2)}T00:00:00.000Z`,
  }));
  await insertJobs(
    test,
    firm.companyId,
    seeds.map((seed) => ({ ...seed, staff_id: staffId, category_id: gas })),
  );
  await renameMe('Aaron');
  await admin().categories.update({ id: gas, version: 1, name: 'Air' });
  await expect.poll(() => listSortKeys('staff_key'), { timeout: 10_000 }).toEqual(['aaron']);
  await expect.poll(() => listSortKeys('category_key'), { timeout: 10_000 }).toEqual(['air']);
});

it('clears the sort keys and leaves no task when a record is renamed and then deleted', async () => {
  const gas = await createCategory('Gas');
  await createJob({ category_ids: [gas] });
  await renameCustomer('Abel');
  await admin().customers.remove({ id: customer.id });
  await admin().categories.update({ id: gas, version: 1, name: 'Air' });
  await admin().categories.remove({ id: gas });
  await waitForQueue(test);
  expect(await countQueuedTasks()).toBe(0);
  expect([await listSortKeys('customer_key'), await listSortKeys('category_key')]).toEqual([[null], [null]]);
});

it('queues no task for a record without jobs, and running the task again changes nothing', async () => {
  await renameCustomer('Abel');
  expect(await countQueuedTasks()).toBe(0);
  const job = await createJob();
  const renamed = { company_id: firm.companyId, kind: 'customer' as const, id: customer.id };
  await updateJobSortKeys(test.app.platform, renamed);
  expect(await admin().jobs.get({ id: job.id })).toMatchObject({ version: job.version, updated_at: job.updated_at });
});
