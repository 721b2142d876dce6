import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { buildJob } from '../../../test/factories/inputs.ts';
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
const readJob = (id: string) => admin().jobs.get({ id });
const readActions = async (id: string) => (await admin().comments.history({ id })).rows.map(({ action, changes }) => [action, changes]);

describe('undoing a job’s drop from the tray', () => {
  const UNSCHEDULED = { starts_at: null, duration: null, staff_id: null };

  async function dropFromTray(status: 'pending' | 'contacted' | 'booked') {
    const { id } = await firm.createUnscheduledJob({ status });
    const dropped = { starts_at: LATER, duration: '2', staff_id: firm.staffIds.staff };
    await calendar().scheduleJob({ id, seen: UNSCHEDULED, ...dropped });
    return { id, undo: { id, seen: dropped, ...UNSCHEDULED, ...(status !== 'booked' && { status }) } };
  }

  it.each(['pending', 'contacted', 'booked'] as const)(
    'restores the status %s and clears the date, duration and person',
    async (status) => {
      const { id, undo } = await dropFromTray(status);
      expect(await calendar().scheduleJob(undo)).toMatchObject({
        job: { booking_date: null, duration: null, staff: null, status },
        clashes: [],
      });
      expect(await readJob(id)).toMatchObject({ booking_date: null, duration: null, staff_id: null, status, version: 3 });
      expect((await calendar().unscheduled({})).rows.map((row) => row.id)).toEqual([id]);
    },
  );

  it('is idempotent: repeated requests undo the drop once', async () => {
    const { id, undo } = await dropFromTray('pending');
    const responses = await Promise.all(Array.from({ length: 6 }, () => calendar().scheduleJob(undo)));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect((await readActions(id))[0]).toEqual([
      'edited',
      { status: ['booked', 'pending'], booking_date: [LATER, null], duration: ['2.00', null], assigned_to: ['The staff', null] },
    ]);
    expect((await readJob(id)).version).toBe(3);
  });

  it('is rejected if a colleague has moved the job since', async () => {
    const { id, undo } = await dropFromTray('pending');
    await calendar().scheduleJob({ id, seen: undo.seen, starts_at: START });
    await expect(calendar().scheduleJob(undo)).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { booking_date: START, status: 'booked' } },
    });
    expect(await readJob(id)).toMatchObject({ booking_date: START, status: 'booked' });
  });
});

describe('undoing a move', () => {
  async function moveJob(before: 'pending' | 'contacted') {
    const { id } = await firm.createJob();
    await test.owner.query('update jobs set status = $2 where id = $1', [id, before]);
    const [from, to] = [START, LATER].map((starts_at) => ({ starts_at, duration: '1', staff_id: firm.staffIds.staff }));
    if (!from || !to) throw new Error('Expected two bookings');
    expect((await calendar().scheduleJob({ id, seen: from, starts_at: to.starts_at })).job.status).toBe('booked');
    return { id, undo: { id, seen: to, starts_at: from.starts_at, status: before } };
  }

  it.each(['pending', 'contacted'] as const)('restores a job’s time and the status %s in one history entry', async (status) => {
    const { id, undo } = await moveJob(status);
    expect((await calendar().scheduleJob(undo)).job).toMatchObject({ booking_date: START, status });
    expect((await readActions(id))[0]).toEqual(['edited', { status: ['booked', status], booking_date: [LATER, START] }]);
    expect((await calendar().scheduleJob(undo)).job).toMatchObject({ booking_date: START, status });
    expect((await readJob(id)).version).toBe(3);
  });

  it.each(JOB_STATUSES.filter((status) => status !== 'booked'))('keeps the status %s if a colleague has set it since', async (chosen) => {
    const { id, undo } = await moveJob('pending');
    await test.owner.query('update jobs set status = $2 where id = $1', [id, chosen]);
    expect((await calendar().scheduleJob(undo)).job).toMatchObject({ booking_date: START, status: chosen });
  });

  it('keeps the job booked if a repeated request arrives after a colleague has booked it', async () => {
    const { id, undo } = await moveJob('pending');
    await calendar().scheduleJob(undo);
    await admin().jobs.setStatus({ id, status: 'booked' });
    expect((await calendar().scheduleJob(undo)).job).toMatchObject({ booking_date: START, status: 'booked' });
  });

  it('rejects a status that moving a job never changes', async () => {
    const { undo } = await moveJob('pending');
    for (const status of ['booked', 'complete', 'paid', 'canceled']) {
      await expect(calendar().scheduleJob({ ...undo, status: status as 'pending' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('keeps a task in the calendar, because tasks have no tray', async () => {
    const { id, calendar_date, calendar_duration, staff_id } = await firm.createTask({ calendar_duration: null });
    const seen = { starts_at: calendar_date, duration: calendar_duration, staff_id };
    const { task } = await calendar().scheduleTask({ id, seen, starts_at: LATER, duration: '2' });
    const undo = { id, seen: { ...seen, starts_at: LATER, duration: task.calendar_duration }, starts_at: START, duration: null };
    expect((await calendar().scheduleTask(undo)).task).toMatchObject({ calendar_date: START, calendar_duration: null });
    const without = { id, seen, starts_at: null };
    await expect(calendar().scheduleTask(without as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('reassigning a job', () => {
  const readNotifications = async (role: 'staff' | 'manager') => {
    const { rows, unread } = await firm.people[role].client.notifications.list();
    return { messages: rows.map(({ message }) => message), unread };
  };
  const { staff, manager } = { staff: () => firm.staffIds.staff, manager: () => firm.staffIds.manager };
  const assign = (id: string, from: string, to: string) =>
    admin().calendar.scheduleJob({ id, seen: { starts_at: START, duration: '1', staff_id: from }, starts_at: START, staff_id: to });

  it('removes the previous person’s notification and notifies the new person', async () => {
    const { id, job_number } = await firm.createJob({ booking_date: START, duration: '1' });
    const notified = { messages: [`You have been assigned to job #${job_number}: Fix the kitchen tap`], unread: 1 };
    await assign(id, staff(), manager());
    expect([await readNotifications('staff'), await readNotifications('manager')]).toEqual([{ messages: [], unread: 0 }, notified]);
    const { events } = await openEventStream(test, firm.people.manager.cookie);
    await assign(id, manager(), staff());
    expect([await readNotifications('staff'), await readNotifications('manager')]).toEqual([notified, { messages: [], unread: 0 }]);
    await expect.poll(() => JSON.stringify(events)).toContain('"notifications"');
  });

  it('keeps notifications that were read or are about comments or other jobs', async () => {
    const [{ id, job_number }, other] = [await firm.createJob({ booking_date: START, duration: '1' }), await firm.createJob()];
    const assigned = (number: string) => `You have been assigned to job #${number}: Fix the kitchen tap`;
    await admin().comments.add({ id: randomUUID(), job_id: id, content: 'Key is under the mat', file_ids: [] });
    await assign(id, staff(), manager());
    expect((await readNotifications('staff')).messages).toEqual([
      `The admin commented on job #${job_number}: Fix the kitchen tap`,
      assigned(other.job_number),
    ]);
    await firm.people.manager.client.notifications.markAllRead();
    await assign(id, manager(), staff());
    expect(await readNotifications('manager')).toEqual({ messages: [assigned(job_number)], unread: 0 });
  });

  it('removes the notification when the job is unassigned, or reassigned in the job form', async () => {
    const { id, version } = await firm.createJob();
    const form = { ...buildJob({ id, customer_id: firm.customer.id, staff_id: manager() }), status: 'booked' as const };
    await admin().jobs.update({ ...form, version });
    expect((await readNotifications('staff')).unread).toBe(0);
    await admin().calendar.scheduleJob({
      id,
      seen: { starts_at: START, duration: '1', staff_id: manager() },
      starts_at: START,
      staff_id: null,
    });
    expect((await readNotifications('manager')).unread).toBe(0);
  });
});
