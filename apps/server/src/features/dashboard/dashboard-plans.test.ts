import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createFirm, tenantOf } from '../../../test/factories/people.ts';
import { capturePlans } from '../../../test/query-plans.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { readAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { countJobsByCategory, listRecentJobs, readCounts, readUninvoicedWork } from './dashboard.sql.ts';

const JOBS = 5000;
/** Of the half year in which a job is made every hour. */
const WEEK = { created_from: '2026-03-11T00:00:00.000Z', created_to: '2026-03-18T23:59:59.999Z' };
const JOBS_OF_WEEK = 8 * 24;

let planOf: (work: (scope: TenantScope) => Promise<unknown>) => Promise<string>;

beforeAll(async () => {
  const test = await startTestApp();
  const plans = await capturePlans(test, 'jobs');
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
      Array.from({ length: JOBS }, (_, index) => ({
        title: `Tap ${index}`,
        status: index % 100 === 0 ? 'complete' : index % 50 === 1 ? 'booked' : 'paid',
        created_at: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
        category_id: index % 3 === 0 ? gas : null,
      })),
    );
  }
  await test.owner.query('vacuum analyze');
  planOf = (work) => plans.during(() => readAs(test.app.platform.pools.app, tenantOf(firm), work));
});

/** How many rows the scans of the jobs returned; by an index they read no others. */
function jobsReadIn(plan: string): number {
  expect(plan).not.toContain('Seq Scan on jobs');
  const scans = [...plan.matchAll(/Scan .*\bon jobs\b.*\(actual .*rows=([\d.]+)/g)];
  return scans.reduce((sum, [, rows]) => sum + Number(rows), 0);
}

it('the numbers of the tiles count jobs from an index, without those that are done', async () => {
  const plan = await planOf(readCounts);
  expect(plan).toMatch(/using (jobs_by_status|active_jobs)/);
  expect(jobsReadIn(plan)).toBe(JOBS / 50);
});

it('categories of a week read the jobs of that week', async () => {
  const plan = await planOf((scope) => countJobsByCategory(scope, WEEK));
  expect(jobsReadIn(plan)).toBeLessThanOrEqual(JOBS_OF_WEEK);
});

it('recent jobs read those of the period twice, to list and to count them, and look up the rest of twenty rows', async () => {
  const plan = await planOf((scope) => listRecentJobs(scope, { ...WEEK, order: 'desc' }));
  expect(plan).toContain('jobs_by_age');
  expect(plan).toContain('top-N');
  expect(plan).toMatch(/SubPlan[^]*loops=20\b/);
  expect(plan).not.toMatch(/loops=\d{3,}/);
  expect(jobsReadIn(plan)).toBeLessThanOrEqual(2 * JOBS_OF_WEEK);
});

it('work that was not invoiced is found by its status', async () => {
  const plan = await planOf(readUninvoicedWork);
  expect(plan).toContain('jobs_by_status');
  expect(jobsReadIn(plan)).toBe(JOBS / 100);
});
