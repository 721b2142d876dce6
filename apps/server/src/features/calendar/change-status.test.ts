import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
