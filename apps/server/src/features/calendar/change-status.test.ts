import { JOB_STATUSES } from '@callout/domain/jobs/job';
import type pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlockedBy, withOwner } from '../../../test/database.ts';
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

const addCanceledJob = (over: Parameters<CalendarFirm['addJob']>[0] = {}) =>
  firm.addJob({ booking_date: START, status: 'canceled', ...over });

async function addCompletedTask(over: Parameters<CalendarFirm['addTask']>[0] = {}) {
  const { id } = await firm.addTask({ calendar_date: START, ...over });
  return admin().tasks.setStatus({ id, status: 'completed' });
}

describe('a status that takes the time of a person again', () => {
  it.each(['pending', 'contacted', 'booked'] as const)(
    'tells what a job that is %s again clashes with, also when it is sent again',
    async (status) => {
      const { id } = await addCanceledJob();
      const other = await firm.addJob({ booking_date: '2026-11-20T19:30:00.000Z' });
      const reopen = () => admin().jobs.setStatus({ id, status, from: 'canceled' });
      const clash = { kind: 'job', id: other.id, job_number: other.job_number, staff_name: 'The staff', overlap_minutes: 30 };
      expect(await reopen()).toMatchObject({ id, status, clashes: [clash] });
      expect(await reopen()).toMatchObject({ id, status, version: 2, clashes: [clash] });
    },
  );

  it('tells what a task that is active again clashes with', async () => {
    const { id, clashes } = await addCompletedTask();
    expect(clashes).toEqual([]);
    const other = await firm.addTask({ calendar_date: START });
    expect(await admin().tasks.setStatus({ id, status: 'active' })).toMatchObject({
      status: 'active',
      clashes: [{ kind: 'task', id: other.id }],
    });
  });

  it.each(JOB_STATUSES.filter((status) => status !== 'paid'))('is not that of a booked job that becomes %s', async (status) => {
    const [{ id }] = [await firm.addJob({ booking_date: START }), await firm.addJob({ booking_date: START })];
    expect(await admin().jobs.setStatus({ id, status })).toMatchObject({ status, clashes: [] });
  });

  it('clashes with the task that has the same id as the job', async () => {
    const { id } = await addCanceledJob();
    await firm.addTask({ id, calendar_date: START });
    expect((await admin().jobs.setStatus({ id, status: 'booked' })).clashes).toMatchObject([{ kind: 'task', id }]);
    expect((await admin().tasks.setStatus({ id, status: 'active' })).clashes).toMatchObject([{ kind: 'job', id }]);
  });

  it('clashes with nothing without a date, a person or a place in the calendar', async () => {
    await firm.addJob({ booking_date: START });
    const { id } = await firm.addUnscheduledJob({ status: 'canceled' });
    expect((await admin().jobs.setStatus({ id, status: 'pending' })).clashes).toEqual([]);
    for (const over of [{ staff_id: null }, { show_in_calendar: false }]) {
      const task = await addCompletedTask(over);
      expect((await admin().tasks.setStatus({ id: task.id, status: 'active' })).clashes).toEqual([]);
    }
  });

  it('and a move of something else to the same time, at the same moment, are told to the second of the two, every time', async () => {
    for (let round = 0; round < 40; round += 1) {
      const starts_at = new Date(Date.UTC(2027, 0, 1 + round, 20)).toISOString();
      const { id, duration, staff_id } = await firm.addJob({ booking_date: START, staff_id: firm.staffIds.manager });
      const reopened =
        round % 2 === 0 ? await addCanceledJob({ booking_date: starts_at }) : await addCompletedTask({ calendar_date: starts_at });
      const seen = { starts_at: START, duration, staff_id };
      const answers = await Promise.all([
        round % 2 === 0
          ? admin().jobs.setStatus({ id: reopened.id, status: 'booked', from: 'canceled' })
          : admin().tasks.setStatus({ id: reopened.id, status: 'active' }),
        manager().calendar.scheduleJob({ id, seen, starts_at, staff_id: firm.staffIds.staff }),
      ]);
      expect([[id], [reopened.id]]).toContainEqual(answers.flatMap(({ clashes }) => clashes.map((clash) => clash.id)));
    }
  });
});

/** A colleague's command under way, which has locked a person's row, as every booking does. */
const whileLocked = (staffId: string, work: (colleague: pg.Client) => Promise<void>) =>
  withOwner(test.database, async (colleague) => {
    await colleague.query('begin');
    await colleague.query('select from staff_members where id = $1 for no key update', [staffId]);
    await work(colleague);
  });

const bookOther = (colleague: pg.Client, id: string, staffId: string) =>
  colleague.query('update jobs set booking_date = $2, staff_id = $3 where id = $1', [id, START, staffId]);

describe.each([
  ['job', 'jobs', () => addCanceledJob(), (id: string) => admin().jobs.setStatus({ id, status: 'booked' })],
  ['task', 'tasks', () => addCompletedTask(), (id: string) => admin().tasks.setStatus({ id, status: 'active' })],
] as const)('a %s that takes time again', (kind, table, add, reopen) => {
  it('waits for what a colleague is booking for its person, and tells that it clashes', async () => {
    const [{ id }, other] = [await add(), await firm.addJob({ staff_id: firm.staffIds.manager })];
    await whileLocked(firm.staffIds.staff, async (colleague) => {
      const reopened = reopen(id);
      await waitUntilBlockedBy(test.database, colleague);
      await bookOther(colleague, other.id, firm.staffIds.staff);
      await colleague.query('commit');
      expect((await reopened).clashes).toMatchObject([{ id: other.id, staff_name: 'The staff' }]);
    });
  });

  it('and is given to another person at that moment waits for what is being booked for that one, and holds nothing', async () => {
    const [{ id }, other] = [await add(), await firm.addJob({ staff_id: firm.staffIds.admin })];
    const { staff, manager: next } = firm.staffIds;
    await whileLocked(next, (dispatcher) =>
      whileLocked(staff, async (colleague) => {
        const reopened = reopen(id);
        await waitUntilBlockedBy(test.database, colleague);
        await colleague.query(`update ${table} set staff_id = $2, version = version + 1 where id = $1`, [id, next]);
        await colleague.query('commit');
        await waitUntilBlockedBy(test.database, dispatcher);
        await dispatcher.query(`select from ${table} where id = $1 for update nowait`, [id]);
        await bookOther(dispatcher, other.id, next);
        await dispatcher.query('commit');
        expect(await reopened).toMatchObject({ staff_id: next, version: kind === 'job' ? 3 : 4, clashes: [{ id: other.id }] });
      }),
    );
  });
});

it('a booked job that is canceled while it becomes booked takes time again, and tells what it clashes with', async () => {
  const [{ id }, other] = [await firm.addJob({ booking_date: START }), await firm.addJob({ booking_date: START })];
  await whileLocked(firm.staffIds.staff, async (colleague) => {
    const reopened = admin().jobs.setStatus({ id, status: 'booked' });
    await waitUntilBlockedBy(test.database, colleague);
    await colleague.query(`update jobs set status = 'canceled' where id = $1`, [id]);
    await colleague.query('commit');
    expect((await reopened).clashes).toMatchObject([{ id: other.id }]);
  });
});
