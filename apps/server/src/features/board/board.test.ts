import { randomUUID } from 'node:crypto';
import { PAGE_SIZE } from '@callout/contract/lists';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newCustomer, newJob } from '../../../test/factories/inputs.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createFirm, type Firm, tenantOf } from '../../../test/factories/people.ts';
import { capturePlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { readAs } from '../../platform/db/tenant-scope.ts';
import { readBoard } from './board.sql.ts';

let test: TestApp;
let firm: Firm;
let plans: Awaited<ReturnType<typeof capturePlans>>;

beforeAll(async () => {
  test = await startTestApp();
  plans = await capturePlans(test, 'jobs');
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const staff = () => firm.people.staff.client;
const minute = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();

/** In turns of all seven statuses. */
async function addJobs(count: number, of: readonly JobStatus[] = [...BOARD_STATUSES, 'paid'], { companyId } = firm): Promise<void> {
  await insertJobs(
    test,
    companyId,
    Array.from({ length: count }, (_, index) => ({
      title: `Tap ${index}`,
      status: of[index % of.length] ?? 'paid',
      created_at: minute(index),
    })),
  );
}

it('has six columns in their order, without paid jobs, the newest of each first and counted', async () => {
  await addJobs(21);
  const { columns } = await staff().board.get({});
  expect(columns.map(({ status, total }) => [status, total])).toEqual([
    ['pending', 3],
    ['contacted', 3],
    ['booked', 3],
    ['complete', 3],
    ['invoiced', 3],
    ['canceled', 3],
  ]);
  expect(columns.map(({ rows }) => rows.map(({ title }) => title))).toEqual(
    BOARD_STATUSES.map((_, index) => [14, 7, 0].map((first) => `Tap ${first + index}`)),
  );
  expect(columns.every(({ status, rows, next_cursor }) => next_cursor === null && rows.every((row) => row.status === status))).toBe(true);
});

it('a card has title, customer, number, day, person with color and timer', async () => {
  const { client, staffId } = await personWithId();
  const customer = await client.customers.create(newCustomer({ name: 'Ana Ruiz' }));
  const job = await client.jobs.create(newJob({ customer_id: customer.id, staff_id: staffId, job_type: 'hourly' }));
  await client.timer.start({ id: crypto.randomUUID(), job_id: job.id });
  const { columns } = await staff().board.get({});
  expect(columns.find(({ status }) => status === 'booked')?.rows).toEqual([
    {
      id: job.id,
      title: job.title,
      job_number: job.job_number,
      status: 'booked',
      booking_date: job.booking_date,
      created_at: job.created_at,
      customer: { id: customer.id, name: 'Ana Ruiz', company_name: null },
      staff: { id: staffId, name: 'The manager', hex_code: null },
      categories: [],
      timer_status: 'started',
      matched: null,
    },
  ]);
});

async function personWithId() {
  const { client } = firm.people.manager;
  const { user } = await client.company.me();
  return { client, staffId: user.staff_id ?? '' };
}

it('a column continues with the list of jobs where its first page ends', async () => {
  await addJobs(2 * PAGE_SIZE + 10, ['pending']);
  const { columns } = await staff().board.get({});
  const [pending, contacted] = columns;
  expect([pending?.total, pending?.rows.length, contacted?.next_cursor]).toEqual([2 * PAGE_SIZE + 10, PAGE_SIZE, null]);
  const next = await staff().jobs.list({ status: 'pending', cursor: pending?.next_cursor ?? '' });
  expect(next.rows[0]?.title).toBe(`Tap ${PAGE_SIZE + 9}`);
  expect(next.rows).toHaveLength(PAGE_SIZE);
});

it('is filtered by person, category and search, and the counts with it', async () => {
  const { client, staffId } = await personWithId();
  const customer = await client.customers.create(newCustomer());
  const drains = await client.categories.create({ id: crypto.randomUUID(), name: 'Drains' });
  const mine = await client.jobs.create(
    newJob({ customer_id: customer.id, staff_id: staffId, category_ids: [drains.id], title: 'Blocked sink' }),
  );
  await addJobs(7);
  const found = async (filter: Parameters<typeof client.board.get>[0]) =>
    (await client.board.get(filter)).columns.flatMap(({ total, rows }) => (total === 0 ? [] : [[total, rows.map(({ id }) => id)]]));
  for (const filter of [{ staff_id: staffId }, { category_id: drains.id }, { search: 'blocked si' }]) {
    expect(await found(filter)).toEqual([[1, [mine.id]]]);
  }
  expect(await found({ staff_id: staffId, search: 'tap' })).toEqual([]);
});

it('of thousands of jobs only the first pages are read, from an index', async () => {
  await addJobs(1400);
  await addJobs(5000, ['booked'], await createFirm(test, 'Neighbor'));
  await test.owner.query('vacuum analyze jobs');
  const read = () => readAs(test.app.platform.pools.app, tenantOf(firm), (scope) => readBoard(scope, {}));
  // After five executions PostgreSQL may switch to one plan for all values, which must be as good.
  for (let execution = 0; execution < 7; execution += 1) {
    const plan = await plans.during(read);
    expect(plan).toMatch(/Index Scan Backward using jobs_by_status on jobs .*rows=51(\.00)? loops=6/);
    expect(plan).not.toContain('Seq Scan on jobs');
  }
});

describe('a filtered board of thousands of jobs', () => {
  const [drains, gas] = [randomUUID(), randomUUID()];
  let planOf: (filter: Parameters<typeof readBoard>[1]) => Promise<string>;
  let sam: string;

  /** Of each status, Sam has every fifth job; every third is of the category Drains, and every twentieth of Gas. */
  async function insertYears({ companyId }: Firm): Promise<string> {
    const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where company_id = $1', [companyId]);
    const people = rows.map(({ id }) => id);
    const insert = `insert into categories (company_id, id, name) values ($1, $2, 'Drains'), ($1, $3, 'Gas')`;
    await test.owner.query(insert, [companyId, drains, gas]);
    const job = (index: number) => ({
      title: `Tap ${index}`,
      status: [...BOARD_STATUSES, 'paid'][index % 7] ?? 'paid',
      created_at: minute(index),
      staff_id: people[index % 5 === 0 ? 0 : 1 + (index % 3)] ?? null,
      category_id: index % 20 === 1 ? gas : index % 3 === 0 ? drains : null,
    });
    await insertJobs(
      test,
      companyId,
      Array.from({ length: 7 * 1100 }, (_, index) => job(index)),
    );
    return people[0] ?? '';
  }

  beforeAll(async () => {
    const [large, neighbor] = [await createFirm(test), await createFirm(test, 'Neighbor')];
    sam = await insertYears(large);
    await insertYears(neighbor);
    await test.owner.query('vacuum analyze jobs, job_categories');
    planOf = (filter) => plans.during(() => readAs(test.app.platform.pools.app, tenantOf(large), (scope) => readBoard(scope, filter)));
  });

  it('by person reads only the first pages, and counts from the same index', async () => {
    for (let execution = 0; execution < 7; execution += 1) {
      const plan = await planOf({ staff_id: sam });
      expect(plan).toMatch(/Index Scan Backward using jobs_of_staff_by_status on jobs .*rows=51(\.00)? loops=6/);
      expect(plan).toMatch(/(Index Only|Bitmap Index) Scan .*jobs_of_staff_by_status .*rows=1320/);
      expect(plan).not.toMatch(/Seq Scan on jobs/);
    }
  });

  it('by a category of many jobs reads the newest of each column until its page is full', async () => {
    const plan = await planOf({ category_id: drains });
    const [, read] = /Index Scan Backward using jobs_by_status on jobs .*rows=([\d.]+) loops=6/.exec(plan) ?? [];
    expect(Number(read)).toBeLessThan(4 * PAGE_SIZE);
    expect(plan).not.toContain('Seq Scan on jobs');
  });

  it('by a search reads what matches once for all columns, and looks up the rest of the rows of each page only', async () => {
    const plan = await planOf({ search: 'tap' });
    const scans = [...plan.matchAll(/Scan (?:using \S+ )?on jobs\b.*loops=(\d+)/g)].map(([, loops]) => Number(loops));
    expect(scans).toHaveLength(2);
    expect(scans).not.toContain(BOARD_STATUSES.length);
    expect(plan).toMatch(/SubPlan[^]*loops=306\b/);
  });

  it('by a category of few looks up the rest of the rows of each page only', async () => {
    const plan = await planOf({ category_id: gas });
    expect(plan).not.toContain('Seq Scan on jobs');
    expect(plan).toMatch(/SubPlan[^]*loops=306\b/);
  });
});
