import { randomUUID } from 'node:crypto';
import { PAGE_SIZE } from '@callout/contract/lists';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { insertJobs, type JobSeed } from '../../../test/factories/job-rows.ts';
import { createFirm, tenantOf } from '../../../test/factories/people.ts';
import { insertTasks } from '../../../test/factories/task-rows.ts';
import { withoutSubPlans } from '../../../test/list-plans.ts';
import { capturePlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { readAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { findClashes, listEvents, listUnscheduled } from './calendar.sql.ts';
import { listFeedEvents, readFeedState } from './calendar-feed.sql.ts';

/** After five executions PostgreSQL may switch to one plan for all values, which must be as good. */
const EXECUTIONS = 7;
const STAFF = '1d3c7f10-52c4-4a59-8a3c-4e0a9b6c7d8e';
const FIRST = Date.UTC(2022, 0, 1);
const at = (hours: number) => new Date(FIRST + hours * HOUR_MS).toISOString();
/** A week in the middle of the years below. */
const [FROM, TO] = [at(16_000), at(16_168)];

/** Three and a half years: a job every eight hours, one in 100 for two days, and a task every ten; 300 jobs without a date. */
async function insertYears(test: TestApp, companyId: string): Promise<void> {
  const staff = [STAFF, ...Array.from({ length: 9 }, () => randomUUID())];
  await test.app.platform.pools.system.query(
    `insert into staff_members (company_id, id, name, email, role) select $1, id, 'Plumber', id || '@example.com', 'staff' from unnest($2::uuid[]) id`,
    [companyId, staff],
  );
  const names = Array.from({ length: 500 }, (_, index) => ({ name: `Customer ${index}` }));
  const customers = await insertCustomers(test, companyId, names);
  const job = (index: number): JobSeed => ({
    title: `Job ${index}`,
    status: index % 5 === 0 ? 'booked' : 'paid',
    created_at: at(index),
    staff_id: staff[index % 10] ?? null,
    customer_id: customers[index % 500] ?? null,
    booking_date: at(index * 8),
    duration: index % 100 === 0 ? '48' : index % 3 === 0 ? null : '2',
  });
  const waiting = (index: number): JobSeed => ({ title: `Waiting ${index}`, status: 'pending', created_at: at(index * 100) });
  await insertJobs(test, companyId, [
    ...Array.from({ length: 4000 }, (_, index) => job(index)),
    ...Array.from({ length: 300 }, (_, index) => waiting(index)),
  ]);
  await insertTasks(
    test,
    companyId,
    Array.from({ length: 3000 }, (_, index) => ({
      title: `Task ${index}`,
      created_at: at(index),
      status: index % 5 === 0 ? ('active' as const) : ('completed' as const),
      staff_id: staff[index % 10] ?? null,
      calendar_date: at(index * 10),
      calendar_duration: index % 200 === 0 ? '48' : '1',
    })),
  );
  await test.owner.query(
    `insert into time_entries (company_id, id, job_id, job_number, job_title, staff_id, staff_name, started_at, ended_at, version)
      select company_id, gen_random_uuid(), id, job_number, title, staff_id, 'Plumber', booking_date, booking_date + interval '1 hour', 1
      from jobs where company_id = $1 and booking_date is not null`,
    [companyId],
  );
  await test.owner.query('vacuum analyze');
}

describe('with years of jobs and tasks', () => {
  let inFirm: <Result>(work: (scope: TenantScope) => Promise<Result>) => Promise<Result>;
  let plans: Awaited<ReturnType<typeof capturePlans>>;

  beforeAll(async () => {
    const test = await startTestApp();
    plans = await capturePlans(test, 'jobs');
    const [firm, neighbor] = [await createFirm(test), await createFirm(test, 'Neighbor')];
    for (const { companyId } of [firm, neighbor]) await insertYears(test, companyId);
    inFirm = (work) => readAs(test.app.platform.pools.app, tenantOf(firm), work);
  });

  /** The plans of several executions, of which none reads a whole table. */
  async function plansOf(work: (scope: TenantScope) => Promise<unknown>): Promise<string[]> {
    const found: string[] = [];
    for (let execution = 0; execution < EXECUTIONS; execution += 1) {
      const plan = await plans.during(() => inFirm(work));
      expect(plan).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
      expect(plan).not.toMatch(/Seq Scan on (jobs|tasks|customers|time_entries)/);
      found.push(withoutSubPlans(plan));
    }
    return found;
  }

  it.each([
    ['all', {}, 90],
    ['a status', { status: 'booked' as const }, 90],
    ['a person', { staff_id: STAFF }, 90],
    ['a person and a status', { staff_id: STAFF, status: 'booked' as const }, 90],
  ])('the events of a week (%s) read the week, a day before it and the long ones of a year', async (_, filter, rows) => {
    const { jobs, tasks } = await inFirm((scope) => listEvents(scope, { from: FROM, to: TO, ...filter }));
    expect(jobs.length).toBeGreaterThan(0);
    expect(tasks.length).toBeGreaterThan(0);
    for (const plan of await plansOf((scope) => listEvents(scope, { from: FROM, to: TO, ...filter }))) {
      expect(rowsReadIn(plan), plan).toBeLessThanOrEqual(rows);
    }
  });

  it('the events of a long range join customers and people, and look up only their timers', async () => {
    const plan = await plans.during(() => inFirm((scope) => listEvents(scope, { from: FROM, to: at(16_000 + 45 * 24) })));
    const lookups = plan.split(/\bSubPlan \d/).slice(1);
    expect(lookups).toHaveLength(1);
    expect(lookups[0]).toContain('time_entries');
  });

  it('the clashes of a time read the days around it', async () => {
    const taken = { staff_id: STAFF, starts_at: at(16_001), duration: '400' };
    expect((await inFirm((scope) => findClashes(scope, taken))).length).toBeGreaterThan(0);
    const short = { ...taken, duration: '2' };
    for (const plan of await plansOf((scope) => findClashes(scope, short))) expect(rowsReadIn(plan), plan).toBeLessThanOrEqual(40);
  });

  it('the unscheduled jobs read and count no others', async () => {
    const first = await inFirm((scope) => listUnscheduled(scope, undefined));
    expect([first.rows.length, first.total]).toEqual([PAGE_SIZE, 300]);
    for (const cursor of [undefined, first.next_cursor ?? '']) {
      for (const plan of await plansOf((scope) => listUnscheduled(scope, cursor))) {
        expect(plan).toContain('unscheduled_jobs');
        // The page and the count; few enough may also be sorted.
        expect(rowsReadIn(plan), plan).toBeLessThanOrEqual(300 + 300);
      }
    }
  });

  it.each([
    ['', listFeedEvents],
    ['’s state', readFeedState],
  ])('a feed%s reads its person’s year', async (_, read) => {
    const range = { staff_id: STAFF, from: at(16_000), to: at(16_000 + 395 * 24) };
    const events = await inFirm((scope) => listFeedEvents(scope, range));
    for (const plan of await plansOf((scope) => read(scope, range))) {
      expect(rowsReadIn(plan), plan).toBeLessThanOrEqual(events.length + 50);
    }
  });
});

/** The rows of jobs and tasks that scans returned and discarded. */
function rowsReadIn(plan: string): number {
  const given = [...plan.matchAll(/Scan .*\bon (?:jobs|tasks)\b.*\(actual .*rows=([\d.]+) loops=(\d+)/g)];
  const discarded = [...plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)];
  return (
    given.reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0) +
    discarded.reduce((sum, [, rows]) => sum + Number(rows), 0)
  );
}
