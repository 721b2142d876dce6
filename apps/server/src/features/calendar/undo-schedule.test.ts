import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStream } from '../../../test/event-stream.ts';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { newJob } from '../../../test/factories/inputs.ts';
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
const LATER = '2026-11-21T20:15:00.000Z';
const admin = () => firm.people.admin.client;
const calendar = () => firm.people.staff.client.calendar;
const jobOf = (id: string) => admin().jobs.get({ id });
const actionsOf = async (id: string) => (await admin().comments.history({ id })).rows.map(({ action, changes }) => [action, changes]);

describe('undoing the drop of a job from the tray', () => {
  const UNSCHEDULED = { starts_at: null, duration: null, staff_id: null };

  async function drop(status: 'pending' | 'contacted' | 'booked') {
    const { id } = await firm.addUnscheduledJob({ status });
    const dropped = { starts_at: LATER, duration: '2', staff_id: firm.staffIds.staff };
    await calendar().scheduleJob({ id, seen: UNSCHEDULED, ...dropped });
    return { id, undo: { id, seen: dropped, ...UNSCHEDULED, ...(status !== 'booked' && { status }) } };
  }

  it.each(['pending', 'contacted', 'booked'] as const)('makes it what it was: %s, without date, duration and person', async (status) => {
    const { id, undo } = await drop(status);
    expect(await calendar().scheduleJob(undo)).toMatchObject({
      job: { booking_date: null, duration: null, staff: null, status },
      clashes: [],
    });
    expect(await jobOf(id)).toMatchObject({ booking_date: null, duration: null, staff_id: null, status, version: 3 });
    expect((await calendar().unscheduled({})).rows.map((row) => row.id)).toEqual([id]);
  });

  it('happens once, also when it is sent again', async () => {
    const { id, undo } = await drop('pending');
    const answers = await Promise.all(Array.from({ length: 6 }, () => calendar().scheduleJob(undo)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await actionsOf(id))[0]).toEqual([
      'edited',
      { status: ['booked', 'pending'], booking_date: [LATER, null], duration: ['2.00', null], assigned_to: ['The staff', null] },
    ]);
    expect((await jobOf(id)).version).toBe(3);
  });

  it('leaves one where it is that a colleague has moved since', async () => {
    const { id, undo } = await drop('pending');
    await calendar().scheduleJob({ id, seen: undo.seen, starts_at: START });
    await expect(calendar().scheduleJob(undo)).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { booking_date: START, status: 'booked' } },
    });
    expect(await jobOf(id)).toMatchObject({ booking_date: START, status: 'booked' });
  });
});

describe('undoing a move', () => {
  async function move(before: 'pending' | 'contacted') {
    const { id } = await firm.addJob();
    await test.owner.query('update jobs set status = $2 where id = $1', [id, before]);
    const [from, to] = [START, LATER].map((starts_at) => ({ starts_at, duration: '1', staff_id: firm.staffIds.staff }));
    if (!from || !to) throw new Error('No two times');
    expect((await calendar().scheduleJob({ id, seen: from, starts_at: to.starts_at })).job.status).toBe('booked');
    return { id, undo: { id, seen: to, starts_at: from.starts_at, status: before } };
  }

  it.each(['pending', 'contacted'] as const)('gives a job its time and the status %s back in one entry of the history', async (status) => {
    const { id, undo } = await move(status);
    expect((await calendar().scheduleJob(undo)).job).toMatchObject({ booking_date: START, status });
    expect((await actionsOf(id))[0]).toEqual(['edited', { status: ['booked', status], booking_date: [LATER, START] }]);
    expect((await calendar().scheduleJob(undo)).job).toMatchObject({ booking_date: START, status });
    expect((await jobOf(id)).version).toBe(3);
  });

  it.each(JOB_STATUSES.filter((status) => status !== 'booked'))(
    'leaves the status %s, which a colleague has chosen since',
    async (chosen) => {
      const { id, undo } = await move('pending');
      await test.owner.query('update jobs set status = $2 where id = $1', [id, chosen]);
      expect((await calendar().scheduleJob(undo)).job).toMatchObject({ booking_date: START, status: chosen });
    },
  );

  it('sent again after a colleague has booked the job leaves it booked', async () => {
    const { id, undo } = await move('pending');
    await calendar().scheduleJob(undo);
    await admin().jobs.setStatus({ id, status: 'booked' });
    expect((await calendar().scheduleJob(undo)).job).toMatchObject({ booking_date: START, status: 'booked' });
  });

  it('gives no job a status that booking does not change', async () => {
    const { undo } = await move('pending');
    for (const status of ['booked', 'complete', 'paid', 'canceled']) {
      await expect(calendar().scheduleJob({ ...undo, status: status as 'pending' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('of a task leaves it in the calendar: it has no tray', async () => {
    const { id, calendar_date, calendar_duration, staff_id } = await firm.addTask({ calendar_duration: null });
    const seen = { starts_at: calendar_date, duration: calendar_duration, staff_id };
    const { task } = await calendar().scheduleTask({ id, seen, starts_at: LATER, duration: '2' });
    const undo = { id, seen: { ...seen, starts_at: LATER, duration: task.calendar_duration }, starts_at: START, duration: null };
    expect((await calendar().scheduleTask(undo)).task).toMatchObject({ calendar_date: START, calendar_duration: null });
    const without = { id, seen, starts_at: null };
    await expect(calendar().scheduleTask(without as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('moving a job to another person and back', () => {
  const toldTo = async (role: 'staff' | 'manager') => {
    const { rows, unread } = await firm.people[role].client.notifications.list();
    return { messages: rows.map(({ message }) => message), unread };
  };
  const { staff, manager } = { staff: () => firm.staffIds.staff, manager: () => firm.staffIds.manager };
  const give = (id: string, from: string, to: string) =>
    admin().calendar.scheduleJob({ id, seen: { starts_at: START, duration: '1', staff_id: from }, starts_at: START, staff_id: to });

  it('leaves no notification with who has it no longer, and one with who has it', async () => {
    const { id, job_number } = await firm.addJob({ booking_date: START, duration: '1' });
    const told = { messages: [`You have been assigned to job #${job_number}: Fix the kitchen tap`], unread: 1 };
    await give(id, staff(), manager());
    expect([await toldTo('staff'), await toldTo('manager')]).toEqual([{ messages: [], unread: 0 }, told]);
    const { events } = await openStream(test, firm.people.manager.cookie);
    await give(id, manager(), staff());
    expect([await toldTo('staff'), await toldTo('manager')]).toEqual([told, { messages: [], unread: 0 }]);
    await expect.poll(() => JSON.stringify(events)).toContain('"notifications"');
  });

  it('leaves what they have read, what is about it otherwise, and other jobs', async () => {
    const [{ id, job_number }, other] = [await firm.addJob({ booking_date: START, duration: '1' }), await firm.addJob()];
    const assigned = (number: string) => `You have been assigned to job #${number}: Fix the kitchen tap`;
    await admin().comments.add({ id: randomUUID(), job_id: id, content: 'Key is under the mat', file_ids: [] });
    await give(id, staff(), manager());
    expect((await toldTo('staff')).messages).toEqual([
      `The admin commented on job #${job_number}: Fix the kitchen tap`,
      assigned(other.job_number),
    ]);
    await firm.people.manager.client.notifications.markAllRead();
    await give(id, manager(), staff());
    expect(await toldTo('manager')).toEqual({ messages: [assigned(job_number)], unread: 0 });
  });

  it('in its form takes it back as well, also for nobody', async () => {
    const { id, version } = await firm.addJob();
    const form = { ...newJob({ id, customer_id: firm.customer.id, staff_id: manager() }), status: 'booked' as const };
    await admin().jobs.update({ ...form, version });
    expect((await toldTo('staff')).unread).toBe(0);
    await admin().calendar.scheduleJob({
      id,
      seen: { starts_at: START, duration: '1', staff_id: manager() },
      starts_at: START,
      staff_id: null,
    });
    expect((await toldTo('manager')).unread).toBe(0);
  });
});
