import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCustomer, buildItem, buildJob, buildSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person, toTenant } from '../../../test/factories/people.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runTenantQuery } from '../../platform/db/tenant-scope.ts';
import { findLatestTimeEntry } from './timer.sql.ts';

/** After five executions, PostgreSQL may switch to a generic plan, which must be just as fast. */
const PLAN_EXECUTIONS = 7;
const WEEK = '2026-11-09';

let test: TestApp;
let plans: Awaited<ReturnType<typeof captureQueryPlans>>;
let firm: Firm;
let staffId: string;
let jobId: string;

beforeAll(async () => {
  test = await startTestApp();
  plans = await captureQueryPlans(test, 'time_entries');
});

beforeEach(async () => {
  firm = await createFirm(test);
  staffId = await readStaffId(firm.people.staff);
  jobId = await createJob({ job_type: 'hourly', hourly_rate: '95' });
});

const admin = () => firm.people.admin.client;

async function readStaffId(person: Person): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [person.userId]);
  return rows[0]?.id ?? '';
}

async function createJob(overrides: Partial<Parameters<typeof buildJob>[0]>): Promise<string> {
  const customer = await admin().customers.create(buildCustomer());
  return (await admin().jobs.create(buildJob({ customer_id: customer.id, staff_id: staffId, ...overrides }))).id;
}

async function addEntry(started: string, ended: string | null, { job = jobId, staff = staffId } = {}): Promise<string> {
  const id = randomUUID();
  await test.owner.query(
    `insert into time_entries (company_id, id, job_id, job_number, job_title, staff_id, staff_name, started_at, ended_at)
      values ($1, $2, $3, 'J26110001', 'Roof repair', $4, 'The staff', $5, $6)`,
    [firm.companyId, id, job, staff, started, ended],
  );
  return id;
}

const readSheet = (input: { week?: string; staff_id?: string } = {}) => admin().timer.sheet({ week: WEEK, ...input });
const listEntryIds = async (input: { week?: string; staff_id?: string } = {}) => (await readSheet(input)).entries.map(({ id }) => id);

describe('a time sheet', () => {
  it('contains exactly the entries that overlap its week, regardless of their length', async () => {
    await addEntry('2026-11-07T22:00:00Z', '2026-11-07T23:00:00Z');
    const weekend = await addEntry('2026-11-08T22:00:00Z', '2026-11-09T01:00:00Z', { staff: await readStaffId(firm.people.manager) });
    const forgotten = await addEntry('2026-10-20T08:00:00Z', '2026-11-10T08:00:00Z', {
      staff: await readStaffId(firm.people.accountant),
    });
    const running = await addEntry('2026-09-01T08:00:00Z', null, { staff: await readStaffId(firm.people.admin) });
    const last = await addEntry('2026-11-15T23:59:59Z', '2026-11-16T04:00:00Z');
    await addEntry('2026-11-16T04:00:00Z', null);
    expect(await listEntryIds()).toEqual([running, forgotten, weekend, last]);
  });

  it('starts on Monday, regardless of the requested day', async () => {
    const monday = await addEntry('2026-11-09T08:00:00Z', '2026-11-09T09:00:00Z');
    expect(await readSheet({ week: '2026-11-15' })).toMatchObject({
      week: WEEK,
      from: '2026-11-09T00:00:00.000Z',
      to: '2026-11-16T00:00:00.000Z',
      entries: [{ id: monday }],
    });
  });

  it.each(['0000-01-01', '9999-12-31', '1999-12-31', 'today'])('is rejected for the date %s', async (week) => {
    await expect(readSheet({ week })).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: { week: 'Please choose a week' } } });
  });

  it('shows which entries are billed, and the hourly rate of each entry', async () => {
    const fixed = await createJob({ job_type: 'fixed', fixed_amount: '500' });
    await addEntry('2026-11-09T08:00:00Z', '2026-11-09T09:00:00Z');
    const supplier = await admin().suppliers.create(buildSupplier());
    const item = await admin().items.create(buildItem({ supplier_id: supplier.id, is_service: true }));
    await admin().timer.allocate({ job_id: jobId, id: randomUUID(), supplier_item_id: item.id, quantity: 1 });
    await addEntry('2026-11-10T08:00:00Z', '2026-11-10T09:00:00Z');
    await addEntry('2026-11-11T08:00:00Z', '2026-11-11T09:00:00Z', { job: fixed });
    const listBilling = async () => (await readSheet()).entries.map(({ is_allocated, hourly_rate }) => [is_allocated, hourly_rate]);
    const { timer } = await admin().jobs.get({ id: jobId });
    expect(await listBilling()).toEqual([
      [true, timer.hourly_rate],
      [false, timer.hourly_rate],
      [false, null],
    ]);
    await admin().jobs.remove({ id: jobId });
    expect(await listBilling()).toEqual([
      [false, null],
      [false, null],
      [false, null],
    ]);
  });

  it('is read from indexes among 10,000 entries, and so is the active timer', { timeout: 120_000 }, async () => {
    const people = await Promise.all(Object.values(firm.people).map(readStaffId));
    await test.owner.query(
      `insert into time_entries (company_id, id, job_id, job_number, job_title, staff_id, staff_name, started_at, ended_at)
        select $1, gen_random_uuid(), $2, 'J26110001', 'Roof repair', ($3::uuid[])[1 + number % 4], 'Someone',
          timestamptz '2026-11-20' - make_interval(mins => number * 10), timestamptz '2026-11-20' - make_interval(mins => number * 10 - 9)
        from generate_series(1, 10000) number`,
      [firm.companyId, jobId, people],
    );
    await test.owner.query('vacuum analyze time_entries');
    const [totalCount, staffCount] = [(await readSheet()).entries.length, (await readSheet({ staff_id: staffId })).entries.length];
    expect([totalCount, staffCount]).toEqual([1008, 252]);
    for (const input of [{}, { staff_id: staffId }]) {
      for (let execution = 0; execution < PLAN_EXECUTIONS; execution += 1) {
        const plan = await plans.during(() => readSheet(input));
        expect(plan, plan).not.toContain('Seq Scan on time_entries');
        expect(plan, plan).toContain('time_entries_over_a_day');
        expect(getMaxRowsRead(plan), plan).toBeLessThan(1500);
      }
    }
    const tenant = { ...toTenant(firm), now: '2026-11-20T00:00:00.000Z' };
    const readTimer = () => runTenantQuery(test.app.platform.pools.app, tenant, (scope) => findLatestTimeEntry(scope, staffId));
    for (let execution = 0; execution < PLAN_EXECUTIONS; execution += 1) {
      const plan = await plans.during(readTimer);
      expect(getMaxRowsRead(plan), plan).toBeLessThan(1500);
    }
  });
});

/** Returns the highest number of rows that any scan of the time entries read, including rows it then filtered out. */
function getMaxRowsRead(plan: string): number {
  const counts = [...plan.matchAll(/time_entries.*?actual.*?rows=([\d.]+)|Rows Removed by (?:Filter|Index Recheck): (\d+)/g)];
  return Math.max(...counts.map(([, read, removed]) => Number(read ?? removed)));
}
