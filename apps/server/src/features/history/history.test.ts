import { randomUUID } from 'node:crypto';
import { PAGE_SIZE } from '@callout/contract/lists';
import type { Role } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { buildCustomer, buildItem, buildJob, buildSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let plans: Awaited<ReturnType<typeof captureQueryPlans>>;
let firm: Firm;
let jobId: string;
let staffId: string;

beforeAll(async () => {
  test = await startTestApp();
  plans = await captureQueryPlans(test, 'record_events');
});

beforeEach(async () => {
  firm = await createFirm(test);
  staffId = await readStaffId('staff');
  const customer = await admin().customers.create(buildCustomer());
  jobId = (await admin().jobs.create(buildJob({ customer_id: customer.id, staff_id: staffId, job_type: 'hourly' }))).id;
});

async function readStaffId(role: Role): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [firm.people[role].userId]);
  return rows[0]?.id ?? '';
}

const admin = () => firm.people.admin.client;
const readHistory = async (cursor?: string) => admin().comments.history({ id: jobId, ...(cursor ? { cursor } : {}) });
const readNewestEvent = async () => (await readHistory()).rows[0];
const countEvents = async () => (await readHistory()).rows.length;

async function editJob(change: object) {
  const { version, title, description, categories, duration, status, booking_date } = await admin().jobs.get({ id: jobId });
  return admin().jobs.update({
    id: jobId,
    version,
    title,
    description,
    category_ids: categories.map(({ id }) => id),
    staff_id: staffId,
    booking_date: booking_date ?? '',
    duration: duration ?? '1',
    status,
    ...change,
  });
}

describe('a job’s history', () => {
  it('begins with its creation, booking date and assignee', async () => {
    expect(await readNewestEvent()).toMatchObject({
      who: 'The admin',
      action: 'created',
      changes: { status: [null, 'booked'], booking_date: [null, '2026-11-20T19:00:00.000Z'], assigned_to: [null, 'The staff'] },
    });
  });

  it('has no entry when a job is saved without changes', async () => {
    await editJob({});
    expect(await countEvents()).toBe(1);
    await editJob({ title: 'Fix the tap' });
    expect(await readNewestEvent()).toMatchObject({ action: 'edited', changes: { title: ['Fix the kitchen tap', 'Fix the tap'] } });
  });

  it('shows who started and paused a timer, including a pause by starting another timer', async () => {
    const { timer, jobs } = firm.people.staff.client;
    const first = { job_id: jobId, id: randomUUID() };
    await timer.start(first);
    await timer.start(first);
    expect(await readNewestEvent()).toMatchObject({ who: 'The staff', action: 'timer_started', changes: {} });
    await timer.pause({ job_id: jobId });
    await timer.pause({ job_id: jobId });
    expect(await readNewestEvent()).toMatchObject({ who: 'The staff', action: 'timer_paused' });
    await timer.start({ job_id: jobId, id: randomUUID() });
    const { customer_id } = await jobs.get({ id: jobId });
    const other = await jobs.create(buildJob({ customer_id: customer_id ?? '', staff_id: staffId }));
    await timer.start({ job_id: other.id, id: randomUUID() });
    expect((await readHistory()).rows.map(({ action }) => action)).toEqual([
      'timer_paused',
      'timer_started',
      'timer_paused',
      'timer_started',
      'created',
    ]);
  });

  it.each([
    ['completed', () => admin().jobs.setStatus({ id: jobId, status: 'complete' })],
    ['canceled by an edit', () => editJob({ status: 'canceled' })],
    ['deleted', () => admin().jobs.remove({ id: jobId })],
  ])('shows which people’s timers were paused when the job was %s', async (_name, change) => {
    for (const role of ['admin', 'staff'] as const) await firm.people[role].client.timer.start({ job_id: jobId, id: randomUUID() });
    await change();
    const { rows } = await test.owner.query(
      `select who, changes from record_events where record_id = $1 and action = 'timer_paused' order by changes::text desc`,
      [jobId],
    );
    expect(rows).toEqual([
      { who: 'The admin', changes: {} },
      { who: 'The admin', changes: { timer_of: [null, 'The staff'] } },
    ]);
  });

  it('has no timer entry if no timer was running', async () => {
    await admin().jobs.setStatus({ id: jobId, status: 'complete' });
    expect((await readHistory()).rows.map(({ action }) => action)).toEqual(['edited', 'created']);
  });

  it('shows how much time was allocated to each line', async () => {
    const supplier = await admin().suppliers.create(buildSupplier());
    const item = await admin().items.create(buildItem({ supplier_id: supplier.id, name: 'Labour', is_service: true }));
    const entry = randomUUID();
    await admin().timer.start({ job_id: jobId, id: entry });
    await admin().timer.pause({ job_id: jobId });
    await test.owner.query(`update time_entries set started_at = started_at - interval '90 minutes', ended_at = started_at where id = $1`, [
      entry,
    ]);
    await admin().timer.allocate({ job_id: jobId, id: randomUUID(), supplier_item_id: item.id, quantity: 2 });
    expect(await readNewestEvent()).toMatchObject({
      action: 'time_allocated',
      changes: { item_added: [null, '2 × Labour'], seconds: [null, '5400'] },
    });
  });

  it('has no entry for a rejected change', async () => {
    await expect(editJob({ version: 99, title: 'Too late' })).rejects.toMatchObject({ code: 'STALE_VERSION' });
    expect(await countEvents()).toBe(1);
  });

  it('keeps the name of a staff member who was deleted', async () => {
    await firm.people.staff.client.timer.start({ job_id: jobId, id: randomUUID() });
    await admin().staff.remove({ id: staffId });
    const { rows } = await readHistory();
    expect(rows.find(({ action }) => action === 'timer_started')?.who).toBe('The staff');
  });

  it('records that a job became unassigned because its staff member was deleted', async () => {
    await admin().staff.remove({ id: staffId });
    await waitForQueue(test);
    const unassigned = { action: 'edited', changes: { assigned_to: ['The staff', null] } };
    expect((await readHistory()).rows).toMatchObject([{ who: 'The admin', ...unassigned }, { action: 'created' }]);
  });

  it('records that a job became unassigned because its staff member left', async () => {
    await firm.people.staff.client.staff.leave();
    await waitForQueue(test);
    expect(await readNewestEvent()).toMatchObject({ who: 'The staff', action: 'edited', changes: { assigned_to: ['The staff', null] } });
  });

  it('does not mention a deleted staff member if the job is complete or assigned to someone else', async () => {
    const { customer_id } = await admin().jobs.get({ id: jobId });
    const other = await admin().jobs.create(buildJob({ customer_id: customer_id ?? '', staff_id: await readStaffId('manager') }));
    await admin().jobs.setStatus({ id: jobId, status: 'complete' });
    await admin().staff.remove({ id: staffId });
    await waitForQueue(test);
    expect((await readHistory()).rows).toHaveLength(2);
    expect((await admin().comments.history({ id: other.id })).rows).toHaveLength(1);
  });

  it('records that a job became unassigned even if it was assigned while its staff member was being deleted', async () => {
    await test.owner.query('update jobs set staff_id = null where id = $1', [jobId]);
    await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from staff_members where id = $1 for key share', [staffId]);
      const removal = admin().staff.remove({ id: staffId });
      await waitUntilBlocked(test.database);
      await owner.query('update jobs set staff_id = $2 where id = $1', [jobId, staffId]);
      await owner.query('commit');
      await removal;
    });
    await waitForQueue(test);
    expect(await readNewestEvent()).toMatchObject({ action: 'edited', changes: { assigned_to: ['The staff', null] } });
  });

  it('is read page by page from an index, even if it has many entries', async () => {
    await test.owner.query(
      `insert into record_events (company_id, id, record_kind, record_id, at, who, action)
        select $1, gen_random_uuid(), 'job', case when number % 100 = 0 then $2::uuid else gen_random_uuid() end,
          now() + make_interval(secs => number), 'Mia', 'timer_started' from generate_series(1, 12000) number`,
      [firm.companyId, jobId],
    );
    await test.owner.query('vacuum analyze record_events');
    const times: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const plan = await plans.during(async () => {
        const page = await readHistory(cursor);
        expect(page.rows.length).toBeLessThanOrEqual(PAGE_SIZE);
        times.push(...page.rows.map(({ at }) => at));
        cursor = page.next_cursor ?? undefined;
      });
      expect(plan, plan).toContain('record_events_of_record');
      expect(plan, plan).not.toMatch(/Seq Scan|Sort Key/);
      if (cursor === undefined) break;
    }
    expect(times).toHaveLength(121);
    expect(times).toEqual(times.toSorted().toReversed());
    await expect(readHistory('nonsense')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
