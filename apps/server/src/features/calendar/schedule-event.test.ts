import { randomUUID } from 'node:crypto';
import { JOB_STATUSES, statusOnceBooked } from '@callout/domain/jobs/job';
import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStream } from '../../../test/event-stream.ts';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { hire } from '../../../test/factories/people.ts';
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
const calendar = () => firm.people.staff.client.calendar;
const jobOf = (id: string) => firm.people.admin.client.jobs.get({ id });
const taskOf = (id: string) => firm.people.admin.client.tasks.get({ id });
const historyOf = async (id: string) => (await firm.people.admin.client.comments.history({ id })).rows;

/** A job, and where it was when somebody picked it up. */
async function addSeenJob(over: Parameters<CalendarFirm['addJob']>[0] = {}) {
  const { id, booking_date, duration, staff_id } = await firm.addJob(over);
  return { id, seen: { starts_at: booking_date, duration, staff_id } };
}

async function addSeenTask(over: Parameters<CalendarFirm['addTask']>[0] = {}) {
  const { id, calendar_date, calendar_duration, staff_id } = await firm.addTask(over);
  return { id, seen: { starts_at: calendar_date, duration: calendar_duration, staff_id } };
}

describe('moving a job', () => {
  it('changes its start, and nothing that was not sent', async () => {
    const picked = await addSeenJob({ duration: '1.5' });
    const { events } = await openStream(test, firm.people.manager.cookie);
    const { job, clashes } = await calendar().scheduleJob({ ...picked, starts_at: LATER });
    expect(job).toMatchObject({ id: picked.id, booking_date: LATER, duration: '1.50', staff: { id: firm.staffIds.staff } });
    expect(clashes).toEqual([]);
    expect(await jobOf(picked.id)).toMatchObject({ booking_date: LATER, duration: '1.50', title: 'Fix the kitchen tap', version: 2 });
    expect((await historyOf(picked.id))[0]).toMatchObject({
      who: 'The staff',
      action: 'edited',
      changes: { booking_date: [START, LATER] },
    });
    await expect.poll(() => JSON.stringify(events)).toContain('"jobs"');
  });

  it.each(ROLES)('is done by an %s', async (role) => {
    const picked = await addSeenJob();
    const { job } = await firm.people[role].client.calendar.scheduleJob({ ...picked, starts_at: LATER });
    expect(job.booking_date).toBe(LATER);
  });

  it.each(JOB_STATUSES)('that is %s books it only when it was not yet, and its date changes', async (status) => {
    const picked = await addSeenJob();
    await test.owner.query('update jobs set status = $2 where id = $1', [picked.id, status]);
    expect((await calendar().scheduleJob({ ...picked, starts_at: START, duration: '3' })).job.status).toBe(status);
    const seen = { ...picked.seen, duration: '3' };
    expect((await calendar().scheduleJob({ ...picked, seen, starts_at: LATER })).job.status).toBe(statusOnceBooked(status));
    expect((await jobOf(picked.id)).status).toBe(statusOnceBooked(status));
  });

  it('from the tray gives it a date, a duration and a person, who is told', async () => {
    const { id, job_number } = await firm.addUnscheduledJob();
    const seen = { starts_at: null, duration: null, staff_id: null };
    const { job } = await firm.people.admin.client.calendar.scheduleJob({
      id,
      seen,
      starts_at: LATER,
      duration: '2',
      staff_id: firm.staffIds.staff,
    });
    expect(job).toMatchObject({ booking_date: LATER, duration: '2.00', staff: { name: 'The staff' }, status: 'booked' });
    expect((await historyOf(id))[0]?.changes).toEqual({
      status: ['pending', 'booked'],
      booking_date: [null, LATER],
      duration: [null, '2.00'],
      assigned_to: [null, 'The staff'],
    });
    const { rows } = await firm.people.staff.client.notifications.list({});
    expect(rows.map(({ message }) => message)).toEqual([`You have been assigned to job #${job_number}: Fix the kitchen tap`]);
    expect((await calendar().unscheduled({})).total).toBe(0);
  });

  it('from the tray without a duration leaves it open', async () => {
    const { id } = await firm.addUnscheduledJob();
    const { job } = await calendar().scheduleJob({ id, seen: { starts_at: null, duration: null, staff_id: null }, starts_at: LATER });
    expect(job).toMatchObject({ booking_date: LATER, duration: null, staff: null, status: 'booked' });
  });

  it('to another person tells that person, but not who took it themselves', async () => {
    const picked = await addSeenJob();
    await firm.people.manager.client.calendar.scheduleJob({ ...picked, starts_at: START, staff_id: firm.staffIds.manager });
    expect((await firm.people.manager.client.notifications.list({})).rows).toEqual([]);
    const seen = { ...picked.seen, staff_id: firm.staffIds.manager };
    await firm.people.manager.client.calendar.scheduleJob({ ...picked, seen, starts_at: START, staff_id: firm.staffIds.accountant });
    expect((await firm.people.accountant.client.notifications.list({})).rows).toHaveLength(1);
    expect((await historyOf(picked.id))[0]?.changes).toEqual({ assigned_to: ['The manager', 'The accountant'] });
  });

  it('to another person of the same name is no entry in the history', async () => {
    const picked = await addSeenJob();
    const twin = await hire(test, firm.companyId, 'staff');
    const { user } = await twin.client.company.me();
    await calendar().scheduleJob({ ...picked, starts_at: START, staff_id: user.staff_id });
    expect((await jobOf(picked.id)).staff_id).toBe(user.staff_id);
    expect((await historyOf(picked.id)).map(({ action }) => action)).toEqual(['created']);
  });

  it('from its person again leaves it without one', async () => {
    const picked = await addSeenJob();
    const { job } = await calendar().scheduleJob({ ...picked, starts_at: START, staff_id: null });
    expect(job).toMatchObject({ booking_date: START, staff: null });
    expect((await historyOf(picked.id))[0]?.changes).toEqual({ assigned_to: ['The staff', null] });
    const task = await addSeenTask();
    expect((await calendar().scheduleTask({ ...task, starts_at: START, staff_id: null })).task.staff).toBeNull();
  });

  it('sent again after a lost answer answers the same, with one entry in the history', async () => {
    const picked = await addSeenJob();
    const other = await firm.addTask({ calendar_date: LATER });
    const request = { ...picked, starts_at: LATER, duration: '2' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => calendar().scheduleJob(request)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.clashes.map(({ id }) => id)).toEqual([other.id]);
    expect((await historyOf(picked.id)).map(({ action }) => action)).toEqual(['edited', 'created']);
    expect((await jobOf(picked.id)).version).toBe(2);
  });

  it('that a colleague has moved meanwhile is refused with where it is now', async () => {
    const picked = await addSeenJob();
    await firm.people.manager.client.calendar.scheduleJob({ ...picked, starts_at: LATER, staff_id: firm.staffIds.manager });
    await expect(calendar().scheduleJob({ ...picked, starts_at: '2026-11-22T20:00:00.000Z' })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { id: picked.id, booking_date: LATER, staff: { name: 'The manager' } } },
    });
    expect(await jobOf(picked.id)).toMatchObject({ booking_date: LATER, version: 2 });
  });

  it('that a colleague has resized or given to somebody meanwhile is refused', async () => {
    const picked = await addSeenJob();
    for (const seen of [
      { ...picked.seen, duration: '4' },
      { ...picked.seen, duration: null },
      { ...picked.seen, staff_id: firm.staffIds.manager },
      { ...picked.seen, staff_id: null },
      { ...picked.seen, starts_at: null },
    ]) {
      await expect(calendar().scheduleJob({ id: picked.id, seen, starts_at: LATER })).rejects.toMatchObject({ code: 'STALE_VERSION' });
    }
    expect(await jobOf(picked.id)).toMatchObject({ booking_date: START, version: 1 });
  });

  it('that a colleague has deleted meanwhile is not found', async () => {
    const picked = await addSeenJob();
    await firm.people.admin.client.jobs.remove({ id: picked.id });
    await expect(calendar().scheduleJob({ ...picked, starts_at: LATER })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Job not found',
    });
  });

  it.each(['0.25', '0', '-1', '1.1', 'long'])('and resizing it to %s hours is refused', async (duration) => {
    const picked = await addSeenJob();
    await expect(calendar().scheduleJob({ ...picked, starts_at: START, duration })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { duration: 'Duration must be at least 0.5 hours, in steps of 0.25' } },
    });
    expect(await jobOf(picked.id)).toMatchObject({ duration: '1.00', version: 1 });
  });

  it('and resizing it by a quarter of an hour leaves its form saveable', async () => {
    const picked = await addSeenJob();
    const { job } = await calendar().scheduleJob({ ...picked, starts_at: START, duration: '1.25' });
    expect(job.duration).toBe('1.25');
    const { categories: _, ...stored } = await jobOf(picked.id);
    const { duration, title } = await firm.people.admin.client.jobs.update({
      ...stored,
      category_ids: [],
      staff_id: firm.staffIds.staff,
      booking_date: START,
      duration: stored.duration ?? '',
      title: 'Another title',
    });
    expect([duration, title]).toEqual(['1.25', 'Another title']);
  });

  it('to a person of another company or one who is gone is refused', async () => {
    const picked = await addSeenJob();
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    for (const staff_id of [neighbor.staffIds.staff, randomUUID()]) {
      await expect(calendar().scheduleJob({ ...picked, starts_at: LATER, staff_id })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields: { staff_id: 'This staff member no longer exists. Please choose another one.' } },
      });
    }
    expect(await jobOf(picked.id)).toMatchObject({ booking_date: START, version: 1 });
  });

  it('whose person was deleted meanwhile is refused with nobody as its person', async () => {
    const [job, task] = [await addSeenJob(), await addSeenTask()];
    await firm.people.admin.client.staff.remove({ id: firm.staffIds.staff });
    const { scheduleJob, scheduleTask } = firm.people.admin.client.calendar;
    for (const move of [{ starts_at: LATER }, { starts_at: LATER, staff_id: firm.staffIds.staff }]) {
      const stale = { code: 'STALE_VERSION', data: { current: { staff: null } } };
      await expect(scheduleJob({ ...job, ...move })).rejects.toMatchObject(stale);
      await expect(scheduleTask({ ...task, ...move })).rejects.toMatchObject(stale);
    }
    expect(await firm.people.admin.client.jobs.get({ id: job.id })).toMatchObject({ booking_date: START, staff_id: null });
  });

  it('of another company is not found', async () => {
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    const { id, duration } = await neighbor.addJob();
    const seen = { starts_at: START, duration, staff_id: neighbor.staffIds.staff };
    await expect(calendar().scheduleJob({ id, seen, starts_at: LATER })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keeps the instant of a start with an offset', async () => {
    const picked = await addSeenJob();
    const seen = { ...picked.seen, starts_at: '2026-11-21T08:00:00+13:00' };
    const { job } = await calendar().scheduleJob({ ...picked, seen, starts_at: '2026-11-22T09:15:00+13:00' });
    expect(job.booking_date).toBe(LATER);
  });
});

describe('moving a task', () => {
  it('changes its start, its duration and its person', async () => {
    const picked = await addSeenTask({ calendar_duration: null });
    const { events } = await openStream(test, firm.people.manager.cookie);
    const { task } = await calendar().scheduleTask({ ...picked, starts_at: LATER, staff_id: firm.staffIds.manager });
    expect(task).toEqual({
      id: picked.id,
      title: 'Order parts',
      color: 'blue',
      status: 'active',
      calendar_date: LATER,
      calendar_duration: null,
      staff: { id: firm.staffIds.manager, name: 'The manager', hex_code: null },
    });
    await expect.poll(() => JSON.stringify(events)).toContain('"tasks"');
    const seen = { starts_at: LATER, duration: null, staff_id: firm.staffIds.manager };
    expect((await calendar().scheduleTask({ id: picked.id, seen, starts_at: LATER, duration: '1.25' })).task.calendar_duration).toBe(
      '1.25',
    );
    expect(await taskOf(picked.id)).toMatchObject({ calendar_date: LATER, show_in_calendar: true, version: 3 });
  });

  it('happens once, also when it is sent again', async () => {
    const picked = await addSeenTask();
    const request = { ...picked, starts_at: LATER };
    const answers = await Promise.all(Array.from({ length: 6 }, () => calendar().scheduleTask(request)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await taskOf(picked.id)).version).toBe(2);
  });

  it('that was moved, taken out of the calendar or deleted meanwhile is refused', async () => {
    const picked = await addSeenTask();
    await calendar().scheduleTask({ ...picked, starts_at: LATER });
    await expect(calendar().scheduleTask({ ...picked, starts_at: START })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { id: picked.id, calendar_date: LATER } },
    });
    const seen = { ...picked.seen, starts_at: LATER };
    await firm.people.admin.client.tasks.update({ ...(await taskOf(picked.id)), show_in_calendar: false });
    await expect(calendar().scheduleTask({ ...picked, seen, starts_at: START })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { id: picked.id, calendar_date: null } },
    });
    await firm.people.admin.client.tasks.remove({ id: picked.id });
    await expect(calendar().scheduleTask({ ...picked, seen, starts_at: START })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Task not found',
    });
  });

  it('to less than half an hour, or to a person who is not there, is refused', async () => {
    const picked = await addSeenTask();
    await expect(calendar().scheduleTask({ ...picked, starts_at: LATER, duration: '0.25' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(calendar().scheduleTask({ ...picked, starts_at: LATER, staff_id: randomUUID() })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect((await taskOf(picked.id)).version).toBe(1);
  });
});

describe('a clash', () => {
  it('is named when a job is booked over a task and a task over a job', async () => {
    const job = await addSeenJob();
    const task = await addSeenTask({ calendar_date: LATER });
    const moved = await calendar().scheduleJob({ ...job, starts_at: '2026-11-21T19:45:00.000Z' });
    expect(moved.clashes).toEqual([
      {
        kind: 'task',
        id: task.id,
        job_number: null,
        title: 'Order parts',
        staff_name: 'The staff',
        starts_at: LATER,
        ends_at: '2026-11-21T21:15:00.000Z',
        overlap_minutes: 30,
      },
    ]);
    const resized = await calendar().scheduleTask({ ...task, starts_at: LATER, duration: '2' });
    expect(resized.clashes).toMatchObject([{ kind: 'job', id: job.id, overlap_minutes: 30 }]);
  });

  it('is not with finished work, that of others, or of nobody', async () => {
    const job = await addSeenJob();
    await firm.addTask({ calendar_date: LATER, staff_id: firm.staffIds.manager });
    await firm.addTask({ calendar_date: LATER, staff_id: null });
    expect((await calendar().scheduleJob({ ...job, starts_at: LATER })).clashes).toEqual([]);
    await firm.addTask({ calendar_date: LATER });
    await test.owner.query(`update jobs set status = 'complete' where id = $1`, [job.id]);
    const seen = { ...job.seen, starts_at: LATER };
    expect((await calendar().scheduleJob({ ...job, seen, starts_at: LATER, duration: '2' })).clashes).toEqual([]);
    const task = await addSeenTask({ calendar_date: START, staff_id: null });
    await firm.addTask({ calendar_date: START, staff_id: null });
    expect((await calendar().scheduleTask({ ...task, starts_at: START, duration: '2' })).clashes).toEqual([]);
  });

  it('of two dispatchers who book the same person at the same moment is told to the second, every time', async () => {
    const { admin, manager } = firm.people;
    for (let round = 0; round < 50; round += 1) {
      const booking = { starts_at: new Date(Date.UTC(2027, 0, 1 + round, 20)).toISOString(), staff_id: firm.staffIds.staff };
      const nobody = { staff_id: null };
      const [one, other] =
        round % 2 === 0 ? [await addSeenTask(nobody), await addSeenTask(nobody)] : [await addSeenJob(), await addSeenJob()];
      const call = round % 2 === 0 ? 'scheduleTask' : 'scheduleJob';
      const answers = await Promise.all([
        admin.client.calendar[call]({ ...one, ...booking }),
        manager.client.calendar[call]({ ...other, ...booking }),
      ]);
      const told = answers.flatMap(({ clashes }) => clashes.map(({ id }) => id));
      expect([[one.id], [other.id]]).toContainEqual(told);
    }
  });

  it('with a job that is saved from its form at the same moment is told to one of the two, through the calendar', async () => {
    for (let round = 0; round < 10; round += 1) {
      const starts_at = new Date(Date.UTC(2027, 0, 1 + round, 20)).toISOString();
      const picked = await addSeenJob({ staff_id: firm.staffIds.manager });
      const [{ clashes }, created] = await Promise.all([
        calendar().scheduleJob({ ...picked, starts_at, staff_id: firm.staffIds.staff }),
        firm.addJob({ booking_date: starts_at }),
      ]);
      const asked = await calendar().clashes({ staff_id: firm.staffIds.staff, starts_at, except_id: created.id });
      expect(asked.clashes.map(({ id }) => id)).toEqual([picked.id]);
      expect(clashes.every(({ id }) => id === created.id)).toBe(true);
    }
  });

  it('never deadlocks with swaps of two people, with saves, timers and the removal of a person', async () => {
    const [one, other] = [await addSeenJob(), await addSeenJob({ staff_id: firm.staffIds.manager })];
    const { staff, manager } = firm.staffIds;
    for (let round = 0; round < 10; round += 1) {
      const [from, to] = round % 2 === 0 ? [staff, manager] : [manager, staff];
      const seenBy = (staff_id: string) => ({ starts_at: START, duration: '1', staff_id });
      await Promise.all([
        calendar().scheduleJob({ id: one.id, seen: seenBy(from), starts_at: START, staff_id: to }),
        firm.people.manager.client.calendar.scheduleJob({ id: other.id, seen: seenBy(to), starts_at: START, staff_id: from }),
        firm.addJob(),
        firm.people.staff.client.timer.start({ id: randomUUID(), job_id: one.id, pause_others: true }),
      ]);
    }
    const extra = await hire(test, firm.companyId, 'staff');
    const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [extra.userId]);
    const gone = rows[0]?.id ?? '';
    const picked = await addSeenJob({ staff_id: gone });
    const move = calendar().scheduleJob({ ...picked, starts_at: LATER });
    const [answer] = await Promise.all([
      move.then(
        () => 'moved',
        ({ code }: { code: string }) => code,
      ),
      firm.people.admin.client.staff.remove({ id: gone }),
    ]);
    expect(['moved', 'STALE_VERSION']).toContain(answer);
    expect(await jobOf(picked.id)).toMatchObject({ staff: null, booking_date: answer === 'moved' ? LATER : START });
  });
});
