import { randomUUID } from 'node:crypto';
import { PAGE_SIZE } from '@callout/contract/lists';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { MAX_COUNT } from '@callout/domain/text/count-format';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runTenantQuery } from '../../platform/db/tenant-scope.ts';
import { readBoard } from './board.handlers.ts';

let test: TestApp;
let firm: Firm;
let plans: Awaited<ReturnType<typeof captureQueryPlans>>;

beforeAll(async () => {
  test = await startTestApp();
  plans = await captureQueryPlans(test, 'jobs');
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const staff = () => firm.people.staff.client;
const atMinute = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();

/** Creates `count` jobs, cycling through all seven statuses by default. */
async function seedJobs(count: number, statuses: readonly JobStatus[] = [...BOARD_STATUSES, 'paid'], { companyId } = firm): Promise<void> {
  await insertJobs(
    test,
    companyId,
    Array.from({ length: count }, (_, index) => ({
      title: `Tap ${index}`,
      status: statuses[index % statuses.length] ?? 'paid',
      created_at: atMinute(index),
    })),
  );
}

it('returns six columns in order, each with its total and its newest jobs first, and no paid jobs', async () => {
  await seedJobs(21);
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

it("returns each card's title, customer, number, date, staff member and timer", async () => {
  const { client, staffId } = await readManager();
  const customer = await client.customers.create(buildCustomer({ name: 'Ana Ruiz' }));
  const job = await client.jobs.create(buildJob({ customer_id: customer.id, staff_id: staffId, job_type: 'hourly' }));
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

async function readManager() {
  const { client } = firm.people.manager;
  const { user } = await client.company.me();
  return { client, staffId: user.staff_id ?? '' };
}

it("a column's next page is loaded from the job list without gaps or duplicates", async () => {
  await seedJobs(2 * PAGE_SIZE + 10, ['pending']);
  const { columns } = await staff().board.get({});
  const [pending, contacted] = columns;
  expect([pending?.total, pending?.rows.length, contacted?.next_cursor]).toEqual([2 * PAGE_SIZE + 10, PAGE_SIZE, null]);
  const next = await staff().jobs.list({ status: 'pending', cursor: pending?.next_cursor ?? '' });
  expect(next.rows[0]?.title).toBe(`Tap ${PAGE_SIZE + 9}`);
  expect(next.rows).toHaveLength(PAGE_SIZE);
});

it('filters jobs and totals by staff member, category and search', async () => {
  const { client, staffId } = await readManager();
  const customer = await client.customers.create(buildCustomer());
  const drains = await client.categories.create({ id: crypto.randomUUID(), name: 'Drains' });
  const mine = await client.jobs.create(
    buildJob({ customer_id: customer.id, staff_id: staffId, category_ids: [drains.id], title: 'Blocked sink' }),
  );
  await seedJobs(7);
  const listIdsByColumn = async (filter: Parameters<typeof client.board.get>[0]) =>
    (await client.board.get(filter)).columns.flatMap(({ total, rows }) => (total === 0 ? [] : [[total, rows.map(({ id }) => id)]]));
  for (const filter of [{ staff_id: staffId }, { category_id: drains.id }, { search: 'blocked si' }]) {
    expect(await listIdsByColumn(filter)).toEqual([[1, [mine.id]]]);
  }
  expect(await listIdsByColumn({ staff_id: staffId, search: 'tap' })).toEqual([]);
});

it("reads only each column's first page, from an index", async () => {
  await seedJobs(1400);
  await seedJobs(5000, ['booked'], await createFirm(test, 'Neighbor'));
  await test.owner.query('vacuum analyze jobs');
  const read = () => runTenantQuery(test.app.platform.pools.app, toTenant(firm), (scope) => readBoard(scope, {}));
  // PostgreSQL may switch to a generic plan after five executions, so run the query more often to check that plan too.
  for (let execution = 0; execution < 7; execution += 1) {
    const plan = await plans.during(read);
    expect(plan).toMatch(/Index Scan Backward using jobs_by_status on jobs .*rows=51(\.00)? loops=6/);
    expect(plan).not.toContain('Seq Scan on jobs');
  }
});

describe('a filtered board with thousands of jobs', () => {
  const [drains, gas] = [randomUUID(), randomUUID()];
  let readLarge: (filter: Parameters<typeof readBoard>[1]) => ReturnType<typeof readBoard>;
  let capturePlan: (filter: Parameters<typeof readBoard>[1]) => Promise<string>;
  let sam: string;

  /** Inserts jobs, of which every fifth is assigned to Sam, every third is in Drains and every twentieth in Gas. Returns Sam's id. */
  async function insertYearsOfJobs({ companyId }: Firm): Promise<string> {
    const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where company_id = $1', [companyId]);
    const people = rows.map(({ id }) => id);
    const insert = `insert into categories (company_id, id, name) values ($1, $2, 'Drains'), ($1, $3, 'Gas')`;
    await test.owner.query(insert, [companyId, drains, gas]);
    const job = (index: number) => ({
      title: `Tap ${index}`,
      status: [...BOARD_STATUSES, 'paid'][index % 7] ?? 'paid',
      created_at: atMinute(index),
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
    sam = await insertYearsOfJobs(large);
    await insertYearsOfJobs(neighbor);
    await test.owner.query('vacuum analyze jobs, job_categories');
    readLarge = (filter) => runTenantQuery(test.app.platform.pools.app, toTenant(large), (scope) => readBoard(scope, filter));
    capturePlan = (filter) => plans.during(() => readLarge(filter));
  });

  it("reads only each column's first page when filtered by staff member, and counts jobs from the same index", async () => {
    for (let execution = 0; execution < 7; execution += 1) {
      const plan = await capturePlan({ staff_id: sam });
      expect(plan).toMatch(/Index Scan Backward using jobs_of_staff_by_status on jobs .*rows=51(\.00)? loops=6/);
      expect(plan).toMatch(/Index Only Scan using jobs_of_staff_by_status .*rows=220(\.00)? loops=6/);
      expect(plan).not.toMatch(/Seq Scan on jobs/);
    }
  });

  it("reads few jobs beyond each column's first page when filtered by a common category", async () => {
    const plan = await capturePlan({ category_id: drains });
    const [, read] = /Index Scan Backward using jobs_by_status on jobs .*rows=([\d.]+) loops=6/.exec(plan) ?? [];
    expect(Number(read)).toBeLessThan(4 * PAGE_SIZE);
    expect(plan).not.toContain('Seq Scan on jobs');
  });

  it("reads only each column's first page when searching for a common word, and loads details only for the jobs it returns", async () => {
    const plan = await capturePlan({ search: 'tap' });
    expect(plan).toMatch(/Index Scan Backward using jobs_by_status on jobs .*rows=51(\.00)? loops=6/);
    expect(plan).toMatch(/SubPlan[^]*loops=306\b/);
  });

  it('looks up a rare word once for all columns, and stops counting common ones at 1,001', async () => {
    const plan = await capturePlan({ search: '7654' });
    expect([...plan.matchAll(/Bitmap Index Scan on jobs_by_text .*loops=(\d+)/g)].map(([, loops]) => loops)).toEqual(['1']);
    expect(plan).not.toContain('Seq Scan on jobs');
    expect((await readLarge({ search: 'tap' })).map(({ total }) => total)).toEqual(BOARD_STATUSES.map(() => MAX_COUNT + 1));
    expect((await readLarge({ search: '7654' })).reduce((sum, { total, rows }) => sum + total + rows.length, 0)).toBe(2);
  });

  it('when filtered by a rare category, loads details only for the returned jobs', async () => {
    const plan = await capturePlan({ category_id: gas });
    expect(plan).not.toContain('Seq Scan on jobs');
    expect(plan).toMatch(/SubPlan[^]*loops=306\b/);
  });
});
