import { randomUUID } from 'node:crypto';
import { PAGE_SIZE } from '@callout/contract/lists';
import type { Role } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { newCustomer, newItem, newJob, newSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { capturePlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let plans: Awaited<ReturnType<typeof capturePlans>>;
let firm: Firm;
let jobId: string;
let staffId: string;

beforeAll(async () => {
  test = await startTestApp();
  plans = await capturePlans(test, 'record_events');
});

beforeEach(async () => {
  firm = await createFirm(test);
  staffId = await staffIdOf('staff');
  const customer = await admin().customers.create(newCustomer());
  jobId = (await admin().jobs.create(newJob({ customer_id: customer.id, staff_id: staffId, job_type: 'hourly' }))).id;
});

async function staffIdOf(role: Role): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [firm.people[role].userId]);
  return rows[0]?.id ?? '';
}

const admin = () => firm.people.admin.client;
const read = async (cursor?: string) => admin().comments.history({ id: jobId, ...(cursor ? { cursor } : {}) });
const newest = async () => (await read()).rows[0];
const count = async () => (await read()).rows.length;

async function edit(change: object) {
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

describe('the history of a job', () => {
  it('begins with who created it, for when and for whom', async () => {
    expect(await newest()).toMatchObject({
      who: 'The admin',
      action: 'created',
      changes: { status: [null, 'booked'], booking_date: [null, '2026-11-20T19:00:00.000Z'], assigned_to: [null, 'The staff'] },
    });
  });

  it('has no entry for saving without a change', async () => {
    await edit({});
    expect(await count()).toBe(1);
    await edit({ title: 'Fix the tap' });
    expect(await newest()).toMatchObject({ action: 'edited', changes: { title: ['Fix the kitchen tap', 'Fix the tap'] } });
  });

  it('tells who started and paused a timer, also by starting another one', async () => {
    const { timer, jobs } = firm.people.staff.client;
    const first = { job_id: jobId, id: randomUUID() };
    await timer.start(first);
    await timer.start(first);
    expect(await newest()).toMatchObject({ who: 'The staff', action: 'timer_started', changes: {} });
    await timer.pause({ job_id: jobId });
    await timer.pause({ job_id: jobId });
    expect(await newest()).toMatchObject({ who: 'The staff', action: 'timer_paused' });
    await timer.start({ job_id: jobId, id: randomUUID() });
    const { customer_id } = await jobs.get({ id: jobId });
    const other = await jobs.create(newJob({ customer_id: customer_id ?? '', staff_id: staffId }));
    await timer.start({ job_id: other.id, id: randomUUID() });
    expect((await read()).rows.map(({ action }) => action)).toEqual([
      'timer_paused',
      'timer_started',
      'timer_paused',
      'timer_started',
      'created',
    ]);
  });

  it.each([
    ['completed', () => admin().jobs.setStatus({ id: jobId, status: 'complete' })],
    ['canceled by an edit', () => edit({ status: 'canceled' })],
    ['deleted', () => admin().jobs.remove({ id: jobId })],
  ])('tells whose timers were paused when the job was %s', async (_name, change) => {
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

  it('tells of no pause when no timer ran', async () => {
    await admin().jobs.setStatus({ id: jobId, status: 'complete' });
    expect((await read()).rows.map(({ action }) => action)).toEqual(['edited', 'created']);
  });

  it('tells how much time was billed by which line', async () => {
    const supplier = await admin().suppliers.create(newSupplier());
    const item = await admin().items.create(newItem({ supplier_id: supplier.id, name: 'Labour', is_service: true }));
    const entry = randomUUID();
    await admin().timer.start({ job_id: jobId, id: entry });
    await admin().timer.pause({ job_id: jobId });
    await test.owner.query(`update time_entries set started_at = started_at - interval '90 minutes', ended_at = started_at where id = $1`, [
      entry,
    ]);
    await admin().timer.allocate({ job_id: jobId, id: randomUUID(), supplier_item_id: item.id, quantity: 2 });
    expect(await newest()).toMatchObject({
      action: 'time_allocated',
      changes: { item_added: [null, '2 × Labour'], seconds: [null, '5400'] },
    });
  });

  it('is not written when the change is refused', async () => {
    await expect(edit({ version: 99, title: 'Too late' })).rejects.toMatchObject({ code: 'STALE_VERSION' });
    expect(await count()).toBe(1);
  });

  it('keeps the name of somebody who was deleted', async () => {
    await firm.people.staff.client.timer.start({ job_id: jobId, id: randomUUID() });
    await admin().staff.remove({ id: staffId });
    const { rows } = await read();
    expect(rows.find(({ action }) => action === 'timer_started')?.who).toBe('The staff');
  });

  it('tells that somebody is gone whom the job was assigned to', async () => {
    await admin().staff.remove({ id: staffId });
    const gone = { action: 'edited', changes: { assigned_to: ['The staff', null] } };
    expect((await read()).rows).toMatchObject([{ who: 'The admin', ...gone }, { action: 'created' }]);
  });

  it('tells it of somebody who left by themselves', async () => {
    await firm.people.staff.client.staff.leave();
    expect(await newest()).toMatchObject({ who: 'The staff', action: 'edited', changes: { assigned_to: ['The staff', null] } });
  });

  it('tells nothing of it when the job was finished or is of somebody else', async () => {
    const { customer_id } = await admin().jobs.get({ id: jobId });
    const other = await admin().jobs.create(newJob({ customer_id: customer_id ?? '', staff_id: await staffIdOf('manager') }));
    await admin().jobs.setStatus({ id: jobId, status: 'complete' });
    await admin().staff.remove({ id: staffId });
    expect((await read()).rows).toHaveLength(2);
    expect((await admin().comments.history({ id: other.id })).rows).toHaveLength(1);
  });

  it('tells it also of a job that was assigned while they were being deleted', async () => {
    await test.owner.query('update jobs set staff_id = null where id = $1', [jobId]);
    await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from staff_members where id = $1 for key share', [staffId]);
      const removing = admin().staff.remove({ id: staffId });
      await waitUntilBlocked(test.database);
      await owner.query('update jobs set staff_id = $2 where id = $1', [jobId, staffId]);
      await owner.query('commit');
      await removing;
    });
    expect(await newest()).toMatchObject({ action: 'edited', changes: { assigned_to: ['The staff', null] } });
  });

  it('is read page by page from an index, however long it is', async () => {
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
        const page = await read(cursor);
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
    await expect(read('nonsense')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
