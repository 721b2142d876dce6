import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { newCustomer, newJob } from '../../../test/factories/inputs.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { nameJobsOf } from './name-jobs.ts';

let test: TestApp;
let firm: Firm;
let customer: Awaited<ReturnType<ReturnType<typeof admin>['customers']['create']>>;
let [adminId, staffId] = ['', ''];

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customer = await admin().customers.create(newCustomer({ name: 'Miles' }));
  adminId = (await admin().staff.myDetails()).id;
  staffId = (await firm.people.staff.client.staff.myDetails()).id;
});

const admin = () => firm.people.admin.client;
const addJob = (over: object = {}) => admin().jobs.create(newJob({ customer_id: customer.id, staff_id: staffId, ...over }));
const addCategory = async (name: string) => (await admin().categories.create({ id: randomUUID(), name })).id;
const titles = async (sort: 'customer' | 'staff' | 'category') =>
  (await admin().jobs.list({ sort, order: 'asc' })).rows.map(({ title }) => title);

async function renameMe(name: string): Promise<void> {
  const { staff } = firm.people.staff.client;
  await staff.updateMyDetails({ ...(await staff.myDetails()), name });
}

const renameCustomer = async (name: string) => {
  customer = await admin().customers.update({ ...customer, type: 'individual', name });
};

/** The different names that the company's jobs are sorted by. */
async function keys(column: 'customer_key' | 'staff_key' | 'category_key'): Promise<(string | null)[]> {
  const { rows } = await test.app.platform.pools.system.query<{ key: string | null }>(
    `select distinct ${column} as key from jobs where company_id = $1 order by 1`,
    [firm.companyId],
  );
  return rows.map(({ key }) => key);
}

const waiting = async () => {
  const { rows } = await test.owner.query(`select from graphile_worker.jobs where key like $1`, [`name-jobs %${firm.companyId}%`]);
  return rows.length;
};

/** Holds every job of the company, as a save that has not ended does. */
async function holdJobs(): Promise<() => Promise<void>> {
  const client = await test.app.platform.pools.system.connect();
  await client.query('begin');
  await client.query('select from jobs where company_id = $1 for update', [firm.companyId]);
  return async () => {
    await client.query('commit');
    client.release();
  };
}

it('the list follows a renamed customer, person and main category', async () => {
  const [drains, gas] = [await addCategory('Drains'), await addCategory('Gas')];
  const other = await admin().customers.create(newCustomer({ name: 'Bea' }));
  await addJob({ title: 'First', customer_id: other.id, staff_id: adminId, category_ids: [drains, gas] });
  await addJob({ title: 'Second', category_ids: [gas] });
  for (const sort of ['customer', 'staff', 'category'] as const) expect(await titles(sort)).toEqual(['First', 'Second']);
  await renameMe('Aaron');
  await renameCustomer('Aaron');
  await admin().categories.update({ id: gas, version: 1, name: 'Boilers' });
  for (const sort of ['customer', 'staff', 'category'] as const) await expect.poll(() => titles(sort)).toEqual(['Second', 'First']);
});

it('a rename waits for no job, and jobs saved meanwhile have the new name', async () => {
  const gas = await addCategory('Gas');
  await addJob({ category_ids: [gas] });
  const letGo = await holdJobs();
  try {
    await renameMe('Aaron');
    await renameCustomer('Abel');
    await admin().categories.update({ id: gas, version: 1, name: 'Air' });
    await addJob({ category_ids: [gas] });
    expect(await keys('staff_key')).toEqual(['aaron', 'the staff']);
    expect(await keys('customer_key')).toEqual(['abel', 'miles']);
    expect(await keys('category_key')).toEqual(['air', 'gas']);
  } finally {
    await letGo();
  }
  await expect.poll(() => keys('staff_key')).toEqual(['aaron']);
  await expect.poll(() => keys('customer_key')).toEqual(['abel']);
  await expect.poll(() => keys('category_key')).toEqual(['air']);
});

it('renamed there and back while a job is held, its jobs end with the last name', async () => {
  await addJob();
  const letGo = await holdJobs();
  try {
    await renameMe('Aaron');
    await renameMe('Zoë');
    await renameMe('Aaron');
  } finally {
    await letGo();
  }
  await expect.poll(() => keys('staff_key')).toEqual(['aaron']);
  await expect.poll(waiting).toBe(0);
  expect(await keys('staff_key')).toEqual(['aaron']);
});

it('every job of somebody with more than one batch of them is named, those of one moment too', async () => {
  const gas = await addCategory('Gas');
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
  await expect.poll(() => keys('staff_key'), { timeout: 10_000 }).toEqual(['aaron']);
  await expect.poll(() => keys('category_key'), { timeout: 10_000 }).toEqual(['air']);
});

it('renamed and deleted at once, its jobs have no name, and no work is left', async () => {
  const gas = await addCategory('Gas');
  await addJob({ category_ids: [gas] });
  await renameCustomer('Abel');
  await admin().customers.remove({ id: customer.id });
  await admin().categories.update({ id: gas, version: 1, name: 'Air' });
  await admin().categories.remove({ id: gas });
  await expect.poll(waiting).toBe(0);
  expect([await keys('customer_key'), await keys('category_key')]).toEqual([[null], [null]]);
});

it('a record without jobs queues nothing, and work that runs again changes nothing', async () => {
  await renameCustomer('Abel');
  expect(await waiting()).toBe(0);
  const job = await addJob();
  const renamed = { company_id: firm.companyId, kind: 'customer' as const, id: customer.id };
  const { signal } = new AbortController();
  await nameJobsOf(test.app.platform, renamed, { signal });
  expect(await admin().jobs.get({ id: job.id })).toMatchObject({ version: job.version, updated_at: job.updated_at });
  await expect(nameJobsOf(test.app.platform, renamed, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
});
