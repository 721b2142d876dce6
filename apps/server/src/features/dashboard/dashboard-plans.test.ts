import { randomUUID } from 'node:crypto';
import { MAX_RECENT_JOBS } from '@callout/contract/dashboard';
import { MAX_COUNT } from '@callout/domain/text/count-format';
import { beforeAll, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createFirm, toTenant } from '../../../test/factories/people.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { runTenantQuery, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { addUpCountChanges, countJobsByCategory, listRecentJobs, readDashboardCounts, readUninvoicedWork } from './dashboard.sql.ts';

const JOB_COUNT = 5000;
/** A period within the test data, which has one job per hour from January 1, 2026. */
const WEEK = { created_from: '2026-03-11T00:00:00.000Z', created_to: '2026-03-18T23:59:59.999Z' };
const JOBS_PER_WEEK = 8 * 24;

let capturePlan: (work: (scope: TenantScope) => Promise<unknown>) => Promise<string>;

beforeAll(async () => {
  const test = await startTestApp();
  const plans = await captureQueryPlans(test, 'company_id');
  const firm = await createFirm(test);
  const { system } = test.app.platform.pools;
  for (const { companyId } of [firm, await createFirm(test, 'Neighbor')]) {
    const gas = randomUUID();
    await system.query(`insert into categories (company_id, id, name) values ($1, $2, 'Gas')`, [companyId, gas]);
    await insertCustomers(
      test,
      companyId,
      Array.from({ length: 1000 }, (_, index) => ({ id: randomUUID(), name: `Customer ${index}` })),
    );
    await insertJobs(
      test,
      companyId,
      Array.from({ length: JOB_COUNT }, (_, index) => ({
        title: `Tap ${index}`,
        status: index % 100 === 0 ? 'complete' : index % 50 === 1 ? 'booked' : 'paid',
        created_at: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
        category_id: index % 3 === 0 ? gas : null,
      })),
    );
  }
  await test.owner.query(`update jobs set currency = 'NZD'`);
  await test.owner.query(`insert into time_entries (company_id, id, job_id, job_number, job_title, staff_name, started_at, ended_at)
    select company_id, gen_random_uuid(), id, job_number, title, 'Sam', created_at, created_at + interval '1 hour' from jobs`);
  await addUpCountChanges(test.app.platform.pools.system);
  await test.owner.query('vacuum analyze');
  capturePlan = (work) => plans.during(() => runTenantQuery(test.app.platform.pools.app, toTenant(firm), work));
});

/** Counts the rows that scans of the jobs table returned. Index scans read no other rows. */
function countJobsRead(plan: string): number {
  expect(plan).not.toContain('Seq Scan on jobs');
  const scans = [...plan.matchAll(/Scan .*\bon jobs\b.*\(actual .*rows=([\d.]+)/g)];
  return scans.reduce((sum, [, rows]) => sum + Number(rows), 0);
}

it('the dashboard counts read only active jobs, from an index', async () => {
  const plan = await capturePlan(readDashboardCounts);
  expect(plan).toMatch(/using (jobs_by_status|active_jobs)/);
  expect(countJobsRead(plan)).toBe(JOB_COUNT / 50);
});

it('a week’s category counts read only that week’s jobs', async () => {
  const plan = await capturePlan((scope) => countJobsByCategory(scope, WEEK));
  expect(countJobsRead(plan)).toBeLessThanOrEqual(JOBS_PER_WEEK);
});

it('the recent jobs list reads the period twice, to list and to count, and loads details only for twenty jobs', async () => {
  const plan = await capturePlan((scope) => listRecentJobs(scope, { ...WEEK, order: 'desc' }));
  expect(plan).toContain('jobs_by_age');
  expect(plan).toMatch(/SubPlan[^]*loops=20\b/);
  expect(plan).not.toMatch(/loops=\d{3,}/);
  expect(countJobsRead(plan)).toBeLessThanOrEqual(2 * JOBS_PER_WEEK + MAX_RECENT_JOBS);
});

it('the recent jobs of all time are read from the indexes of booking dates, and counted up to 1,000', async () => {
  const plan = await capturePlan((scope) => listRecentJobs(scope, { order: 'desc' }));
  expect(plan).toMatch(/jobs_by_booking/);
  expect(countJobsRead(plan)).toBeLessThanOrEqual(MAX_COUNT + 1 + 5 * MAX_RECENT_JOBS);
});

it('the counts of customers and categories of all time read no customers and no jobs', async () => {
  const counts = await capturePlan(readDashboardCounts);
  const categories = await capturePlan((scope) => countJobsByCategory(scope, {}));
  expect(counts).not.toMatch(/ on customers/);
  expect(categories).toContain('record_counts');
  expect(categories).not.toMatch(/ on (jobs|job_categories)/);
});

it('uninvoiced work is summed from its index alone', async () => {
  const plan = await capturePlan(readUninvoicedWork);
  expect(plan).toContain('Index Only Scan using uninvoiced_jobs');
  expect(countJobsRead(plan)).toBe(JOB_COUNT / 100);
});
