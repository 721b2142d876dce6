import { JOB_STATUSES } from '@callout/domain/jobs/job';
import type pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlockedBy, withOwnerClient } from '../../../test/database.ts';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: CalendarFirm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createCalendarFirm(test);
});

const START = '2026-11-20T19:00:00.000Z';
const admin = () => firm.people.admin.client;
const manager = () => firm.people.manager.client;

const createCanceledJob = (over: Parameters<CalendarFirm['createJob']>[0] = {}) =>
  firm.createJob({ booking_date: START, status: 'canceled', ...over });

async function createCompletedTask(over: Parameters<CalendarFirm['createTask']>[0] = {}) {
  const { id } = await firm.createTask({ calendar_date: START, ...over });
  return admin().tasks.setStatus({ id, status: 'completed' });
}

describe('reopening a job or task', () => {
  it.each(['pending', 'contacted', 'booked'] as const)(
    'reports a job’s clashes when it becomes %s again, even if the request is repeated',
    async (status) => {
      const { id } = await createCanceledJob();
      const other = await firm.createJob({ booking_date: '2026-11-20T19:30:00.000Z' });
      const reopen = () => admin().jobs.setStatus({ id, status, from: 'canceled' });
      const clash = { kind: 'job', id: other.id, job_number: other.job_number, staff_name: 'The staff', overlap_minutes: 30 };
      expect(await reopen()).toMatchObject({ id, status, clashes: [clash] });
      expect(await reopen()).toMatchObject({ id, status, version: 2, clashes: [clash] });
    },
  );

  it('reports a task’s clashes when it becomes active again', async () => {
    const { id, clashes } = await createCompletedTask();
    expect(clashes).toEqual([]);
    const other = await firm.createTask({ calendar_date: START });
    expect(await admin().tasks.setStatus({ id, status: 'active' })).toMatchObject({
      status: 'active',
      clashes: [{ kind: 'task', id: other.id }],
    });
  });

  it.each(JOB_STATUSES.filter((status) => status !== 'paid'))('reports no clashes when a booked job becomes %s', async (status) => {
    const [{ id }] = [await firm.createJob({ booking_date: START }), await firm.createJob({ booking_date: START })];
    expect(await admin().jobs.setStatus({ id, status })).toMatchObject({ status, clashes: [] });
  });

  it('reports a clash between a job and a task with the same id', async () => {
    const { id } = await createCanceledJob();
    await firm.createTask({ id, calendar_date: START });
    expect((await admin().jobs.setStatus({ id, status: 'booked' })).clashes).toMatchObject([{ kind: 'task', id }]);
    expect((await admin().tasks.setStatus({ id, status: 'active' })).clashes).toMatchObject([{ kind: 'job', id }]);
  });

  it('reports no clashes if it has no date, has no person, or is hidden from the calendar', async () => {
    await firm.createJob({ booking_date: START });
    const { id } = await firm.createUnscheduledJob({ status: 'canceled' });
    expect((await admin().jobs.setStatus({ id, status: 'pending' })).clashes).toEqual([]);
    for (const over of [{ staff_id: null }, { show_in_calendar: false }]) {
      const task = await createCompletedTask(over);
      expect((await admin().tasks.setStatus({ id: task.id, status: 'active' })).clashes).toEqual([]);
    }
  });

  it('reports a clash with a concurrent move in exactly one of the two responses', async () => {
    for (let round = 0; round < 40; round += 1) {
      const starts_at = new Date(Date.UTC(2027, 0, 1 + round, 20)).toISOString();
      const { id, duration, staff_id } = await firm.createJob({ booking_date: START, staff_id: firm.staffIds.manager });
      const reopened =
        round % 2 === 0 ? await createCanceledJob({ booking_date: starts_at }) : await createCompletedTask({ calendar_date: starts_at });
      const seen = { starts_at: START, duration, staff_id };
      const responses = await Promise.all([
        round % 2 === 0
          ? admin().jobs.setStatus({ id: reopened.id, status: 'booked', from: 'canceled' })
          : admin().tasks.setStatus({ id: reopened.id, status: 'active' }),
        manager().calendar.scheduleJob({ id, seen, starts_at, staff_id: firm.staffIds.staff }),
      ]);
      expect([[id], [reopened.id]]).toContainEqual(responses.flatMap(({ clashes }) => clashes.map((clash) => clash.id)));
    }
  });
});

/** Runs `work` while a colleague's transaction holds the staff row lock that every booking takes. */
const withLockedStaff = (staffId: string, work: (colleague: pg.Client) => Promise<void>) =>
  withOwnerClient(test.database, async (colleague) => {
    await colleague.query('begin');
    await colleague.query('select from staff_members where id = $1 for no key update', [staffId]);
    await work(colleague);
  });

const bookJob = (colleague: pg.Client, id: string, staffId: string) =>
  colleague.query('update jobs set booking_date = $2, staff_id = $3 where id = $1', [id, START, staffId]);

describe.each([
  ['job', 'jobs', () => createCanceledJob(), (id: string) => admin().jobs.setStatus({ id, status: 'booked' })],
  ['task', 'tasks', () => createCompletedTask(), (id: string) => admin().tasks.setStatus({ id, status: 'active' })],
] as const)('reopening a %s concurrently', (kind, table, add, reopen) => {
  it('waits for a concurrent booking of the same person and reports the clash', async () => {
    const [{ id }, other] = [await add(), await firm.createJob({ staff_id: firm.staffIds.manager })];
    await withLockedStaff(firm.staffIds.staff, async (colleague) => {
      const reopened = reopen(id);
      await waitUntilBlockedBy(test.database, colleague);
      await bookJob(colleague, other.id, firm.staffIds.staff);
      await colleague.query('commit');
      expect((await reopened).clashes).toMatchObject([{ id: other.id, staff_name: 'The staff' }]);
    });
  });

  it('retries without holding locks if the record is reassigned, and waits for the new person’s bookings', async () => {
    const [{ id }, other] = [await add(), await firm.createJob({ staff_id: firm.staffIds.admin })];
    const { staff, manager: next } = firm.staffIds;
    await withLockedStaff(next, (dispatcher) =>
      withLockedStaff(staff, async (colleague) => {
        const reopened = reopen(id);
        await waitUntilBlockedBy(test.database, colleague);
        await colleague.query(`update ${table} set staff_id = $2, version = version + 1 where id = $1`, [id, next]);
        await colleague.query('commit');
        await waitUntilBlockedBy(test.database, dispatcher);
        await dispatcher.query(`select from ${table} where id = $1 for update nowait`, [id]);
        await bookJob(dispatcher, other.id, next);
        await dispatcher.query('commit');
        expect(await reopened).toMatchObject({ staff_id: next, version: kind === 'job' ? 3 : 4, clashes: [{ id: other.id }] });
      }),
    );
  });
});

it('reports clashes if a booked job is canceled just before being set to booked', async () => {
  const [{ id }, other] = [await firm.createJob({ booking_date: START }), await firm.createJob({ booking_date: START })];
  await withLockedStaff(firm.staffIds.staff, async (colleague) => {
    const reopened = admin().jobs.setStatus({ id, status: 'booked' });
    await waitUntilBlockedBy(test.database, colleague);
    await colleague.query(`update jobs set status = 'canceled' where id = $1`, [id]);
    await colleague.query('commit');
    expect((await reopened).clashes).toMatchObject([{ id: other.id }]);
  });
});
