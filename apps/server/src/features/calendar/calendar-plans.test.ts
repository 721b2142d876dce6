import { randomUUID } from 'node:crypto';
import { PAGE_SIZE } from '@callout/contract/lists';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { insertJobs, type JobSeed } from '../../../test/factories/job-rows.ts';
import { createFirm, toTenant } from '../../../test/factories/people.ts';
import { insertTasks } from '../../../test/factories/task-rows.ts';
import { stripSubPlans } from '../../../test/list-plans.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runTenantQuery, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { findClashes, listCalendarEvents, listUnscheduledJobs } from './calendar.sql.ts';
import { listFeedEvents, readFeedFingerprint } from './calendar-feed.sql.ts';

/** PostgreSQL may switch to a generic plan after five executions, so run the queries more often to check that plan too. */
const EXECUTIONS = 7;
const STAFF = '1d3c7f10-52c4-4a59-8a3c-4e0a9b6c7d8e';
const FIRST_INSTANT = Date.UTC(2022, 0, 1);
const atHour = (hours: number) => new Date(FIRST_INSTANT + hours * HOUR_MS).toISOString();
/** A week in the middle of the inserted data. */
const [FROM, TO] = [atHour(16_000), atHour(16_168)];

/** Inserts 3.5 years of data: a job every 8 hours (1 in 100 lasts two days), a task every 10 hours, and 300 undated jobs. */
async function insertYearsOfBookings(test: TestApp, companyId: string): Promise<void> {
  const staff = [STAFF, ...Array.from({ length: 9 }, () => randomUUID())];
  await test.app.platform.pools.system.query(
    `insert into staff_members (company_id, id, name, email, role) select $1, id, 'Plumber', id || '@example.com', 'staff' from unnest($2::uuid[]) id`,
    [companyId, staff],
  );
  const names = Array.from({ length: 500 }, (_, index) => ({ name: `Customer ${index}` }));
  const customers = await insertCustomers(test, companyId, names);
  const buildJobSeed = (index: number): JobSeed => ({
    title: `Job ${index}`,
    status: index % 5 === 0 ? 'booked' : 'paid',
    created_at: atHour(index),
    staff_id: staff[index % 10] ?? null,
    customer_id: customers[index % 500] ?? null,
    booking_date: atHour(index * 8),
    duration: index % 100 === 0 ? '48' : index % 3 === 0 ? null : '2',
  });
  const buildUnscheduledSeed = (index: number): JobSeed => ({ title: `Job ${index}`, status: 'pending', created_at: atHour(index * 100) });
  await insertJobs(test, companyId, [
    ...Array.from({ length: 4000 }, (_, index) => buildJobSeed(index)),
    ...Array.from({ length: 300 }, (_, index) => buildUnscheduledSeed(index)),
  ]);
  await insertTasks(
    test,
    companyId,
    Array.from({ length: 3000 }, (_, index) => ({
      title: `Task ${index}`,
      created_at: atHour(index),
      status: index % 5 === 0 ? ('active' as const) : ('completed' as const),
      staff_id: staff[index % 10] ?? null,
      calendar_date: atHour(index * 10),
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

describe('calendar query plans with years of data', () => {
  let runInCompany: <Result>(work: (scope: TenantScope) => Promise<Result>) => Promise<Result>;
  let plans: Awaited<ReturnType<typeof captureQueryPlans>>;

  beforeAll(async () => {
    const test = await startTestApp();
    plans = await captureQueryPlans(test, 'jobs');
    const [firm, neighbor] = [await createFirm(test), await createFirm(test, 'Neighbor')];
    for (const { companyId } of [firm, neighbor]) await insertYearsOfBookings(test, companyId);
    runInCompany = (work) => runTenantQuery(test.app.platform.pools.app, toTenant(firm), work);
  });

  /** Runs `work` several times and returns the query plans, after checking that none reads a whole table. */
  async function capturePlans(work: (scope: TenantScope) => Promise<unknown>): Promise<string[]> {
    const found: string[] = [];
    for (let execution = 0; execution < EXECUTIONS; execution += 1) {
      const plan = await plans.during(() => runInCompany(work));
      expect(plan).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
      expect(plan).not.toMatch(/Seq Scan on (jobs|tasks|customers|time_entries)/);
      found.push(stripSubPlans(plan));
    }
    return found;
  }

  it.each([
    ['all', {}, 90],
    ['a status', { status: 'booked' as const }, 90],
    ['a person', { staff_id: STAFF }, 90],
    ['a person and a status', { staff_id: STAFF, status: 'booked' as const }, 90],
  ])('a weekly event list (%s) reads only that week, the day before, and a year of long events', async (_, filter, rows) => {
    const { jobs, tasks } = await runInCompany((scope) => listCalendarEvents(scope, { from: FROM, to: TO, ...filter }));
    expect(jobs.length).toBeGreaterThan(0);
    expect(tasks.length).toBeGreaterThan(0);
    for (const plan of await capturePlans((scope) => listCalendarEvents(scope, { from: FROM, to: TO, ...filter }))) {
      expect(countRowsRead(plan), plan).toBeLessThanOrEqual(rows);
    }
  });

  it('a long event list joins customers and staff, and runs a subquery only for timers', async () => {
    const plan = await plans.during(() => runInCompany((scope) => listCalendarEvents(scope, { from: FROM, to: atHour(16_000 + 45 * 24) })));
    const lookups = plan.split(/\bSubPlan \d/).slice(1);
    expect(lookups).toHaveLength(1);
    expect(lookups[0]).toContain('time_entries');
  });

  it('a clash search reads only the days around the booking', async () => {
    const taken = { staff_id: STAFF, starts_at: atHour(16_001), duration: '400' };
    expect((await runInCompany((scope) => findClashes(scope, taken))).length).toBeGreaterThan(0);
    const short = { ...taken, duration: '2' };
    for (const plan of await capturePlans((scope) => findClashes(scope, short))) expect(countRowsRead(plan), plan).toBeLessThanOrEqual(40);
  });

  it('a list of unscheduled jobs reads and counts no other jobs', async () => {
    const first = await runInCompany((scope) => listUnscheduledJobs(scope, undefined));
    expect([first.rows.length, first.total]).toEqual([PAGE_SIZE, 300]);
    for (const cursor of [undefined, first.next_cursor ?? '']) {
      for (const plan of await capturePlans((scope) => listUnscheduledJobs(scope, cursor))) {
        expect(plan).toContain('unscheduled_jobs');
        // Listing the page and counting the total each read at most the 300 unscheduled jobs.
        expect(countRowsRead(plan), plan).toBeLessThanOrEqual(300 + 300);
      }
    }
  });

  it.each([
    ['feed', listFeedEvents],
    ['feed fingerprint', readFeedFingerprint],
  ])('a %s reads only one year of one person’s events', async (_, read) => {
    const range = { staff_id: STAFF, from: atHour(16_000), to: atHour(16_000 + 395 * 24) };
    const events = await runInCompany((scope) => listFeedEvents(scope, range));
    for (const plan of await capturePlans((scope) => read(scope, range))) {
      expect(countRowsRead(plan), plan).toBeLessThanOrEqual(events.length + 50);
    }
  });
});

/** Counts the job and task rows that scans returned or discarded. */
function countRowsRead(plan: string): number {
  const returned = [...plan.matchAll(/Scan .*\bon (?:jobs|tasks)\b.*\(actual .*rows=([\d.]+) loops=(\d+)/g)];
  const discarded = [...plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)];
  return (
    returned.reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0) +
    discarded.reduce((sum, [, rows]) => sum + Number(rows), 0)
  );
}
