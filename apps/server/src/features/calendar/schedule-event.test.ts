import { randomUUID } from 'node:crypto';
import { getStatusAfterBooking, JOB_STATUSES } from '@callout/domain/jobs/job';
import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { addStaffMember } from '../../../test/factories/people.ts';
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
const readJob = (id: string) => firm.people.admin.client.jobs.get({ id });
const readTask = (id: string) => firm.people.admin.client.tasks.get({ id });
const readHistory = async (id: string) => (await firm.people.admin.client.comments.history({ id })).rows;

/** Creates a job and returns its id and `seen`, the booking that the page displays before the move. */
async function createSeenJob(over: Parameters<CalendarFirm['createJob']>[0] = {}) {
  const { id, booking_date, duration, staff_id } = await firm.createJob(over);
  return { id, seen: { starts_at: booking_date, duration, staff_id } };
}

async function createSeenTask(over: Parameters<CalendarFirm['createTask']>[0] = {}) {
  const { id, calendar_date, calendar_duration, staff_id } = await firm.createTask(over);
  return { id, seen: { starts_at: calendar_date, duration: calendar_duration, staff_id } };
}

describe('moving a job', () => {
  it('changes its start and nothing else', async () => {
    const picked = await createSeenJob({ duration: '1.5' });
    const { events } = await openEventStream(test, firm.people.manager.cookie);
    const { job, clashes } = await calendar().scheduleJob({ ...picked, starts_at: LATER });
    expect(job).toMatchObject({ id: picked.id, booking_date: LATER, duration: '1.50', staff: { id: firm.staffIds.staff } });
    expect(clashes).toEqual([]);
    expect(await readJob(picked.id)).toMatchObject({ booking_date: LATER, duration: '1.50', title: 'Fix the kitchen tap', version: 2 });
    expect((await readHistory(picked.id))[0]).toMatchObject({
      who: 'The staff',
      action: 'edited',
      changes: { booking_date: [START, LATER] },
    });
    await expect.poll(() => JSON.stringify(events)).toContain('"jobs"');
  });

  it.each(ROLES)('is allowed for the role %s', async (role) => {
    const picked = await createSeenJob();
    const { job } = await firm.people[role].client.calendar.scheduleJob({ ...picked, starts_at: LATER });
    expect(job.booking_date).toBe(LATER);
  });

  it.each(JOB_STATUSES)('changes the status of a %s job to booked only if it was not booked yet and its date changes', async (status) => {
    const picked = await createSeenJob();
    await test.owner.query('update jobs set status = $2 where id = $1', [picked.id, status]);
    expect((await calendar().scheduleJob({ ...picked, starts_at: START, duration: '3' })).job.status).toBe(status);
    const seen = { ...picked.seen, duration: '3' };
    expect((await calendar().scheduleJob({ ...picked, seen, starts_at: LATER })).job.status).toBe(getStatusAfterBooking(status));
    expect((await readJob(picked.id)).status).toBe(getStatusAfterBooking(status));
  });

  it('sets the date, duration and person when dropped from the tray, and notifies the person', async () => {
    const { id, job_number } = await firm.createUnscheduledJob();
    const seen = { starts_at: null, duration: null, staff_id: null };
    const { job } = await firm.people.admin.client.calendar.scheduleJob({
      id,
      seen,
      starts_at: LATER,
      duration: '2',
      staff_id: firm.staffIds.staff,
    });
    expect(job).toMatchObject({ booking_date: LATER, duration: '2.00', staff: { name: 'The staff' }, status: 'booked' });
    expect((await readHistory(id))[0]?.changes).toEqual({
      status: ['pending', 'booked'],
      booking_date: [null, LATER],
      duration: [null, '2.00'],
      assigned_to: [null, 'The staff'],
    });
    const { rows } = await firm.people.staff.client.notifications.list({});
    expect(rows.map(({ message }) => message)).toEqual([`You have been assigned to job #${job_number}: Fix the kitchen tap`]);
    expect((await calendar().unscheduled({})).total).toBe(0);
  });

  it('leaves the duration empty when dropped from the tray without one', async () => {
    const { id } = await firm.createUnscheduledJob();
    const { job } = await calendar().scheduleJob({ id, seen: { starts_at: null, duration: null, staff_id: null }, starts_at: LATER });
    expect(job).toMatchObject({ booking_date: LATER, duration: null, staff: null, status: 'booked' });
  });

  it('notifies the new person unless they moved it themselves', async () => {
    const picked = await createSeenJob();
    await firm.people.manager.client.calendar.scheduleJob({ ...picked, starts_at: START, staff_id: firm.staffIds.manager });
    expect((await firm.people.manager.client.notifications.list({})).rows).toEqual([]);
    const seen = { ...picked.seen, staff_id: firm.staffIds.manager };
    await firm.people.manager.client.calendar.scheduleJob({ ...picked, seen, starts_at: START, staff_id: firm.staffIds.accountant });
    expect((await firm.people.accountant.client.notifications.list({})).rows).toHaveLength(1);
    expect((await readHistory(picked.id))[0]?.changes).toEqual({ assigned_to: ['The manager', 'The accountant'] });
  });

  it('adds no history entry if the new person has the same name', async () => {
    const picked = await createSeenJob();
    const namesake = await addStaffMember(test, firm.companyId, 'staff');
    const { user } = await namesake.client.company.me();
    await calendar().scheduleJob({ ...picked, starts_at: START, staff_id: user.staff_id });
    expect((await readJob(picked.id)).staff_id).toBe(user.staff_id);
    expect((await readHistory(picked.id)).map(({ action }) => action)).toEqual(['created']);
  });

  it('unassigns it if the new person is null', async () => {
    const picked = await createSeenJob();
    const { job } = await calendar().scheduleJob({ ...picked, starts_at: START, staff_id: null });
    expect(job).toMatchObject({ booking_date: START, staff: null });
    expect((await readHistory(picked.id))[0]?.changes).toEqual({ assigned_to: ['The staff', null] });
    const task = await createSeenTask();
    expect((await calendar().scheduleTask({ ...task, starts_at: START, staff_id: null })).task.staff).toBeNull();
  });

  it('is idempotent: repeated requests return the same response and add one history entry', async () => {
    const picked = await createSeenJob();
    const other = await firm.createTask({ calendar_date: LATER });
    const request = { ...picked, starts_at: LATER, duration: '2' };
    const responses = await Promise.all(Array.from({ length: 6 }, () => calendar().scheduleJob(request)));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]?.clashes.map(({ id }) => id)).toEqual([other.id]);
    expect((await readHistory(picked.id)).map(({ action }) => action)).toEqual(['edited', 'created']);
    expect((await readJob(picked.id)).version).toBe(2);
  });

  it('is rejected if a colleague has moved it, and the response contains its current position', async () => {
    const picked = await createSeenJob();
    await firm.people.manager.client.calendar.scheduleJob({ ...picked, starts_at: LATER, staff_id: firm.staffIds.manager });
    await expect(calendar().scheduleJob({ ...picked, starts_at: '2026-11-22T20:00:00.000Z' })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { id: picked.id, booking_date: LATER, staff: { name: 'The manager' } } },
    });
    expect(await readJob(picked.id)).toMatchObject({ booking_date: LATER, version: 2 });
  });

  it('is rejected if a colleague has resized or reassigned it', async () => {
    const picked = await createSeenJob();
    for (const seen of [
      { ...picked.seen, duration: '4' },
      { ...picked.seen, duration: null },
      { ...picked.seen, staff_id: firm.staffIds.manager },
      { ...picked.seen, staff_id: null },
      { ...picked.seen, starts_at: null },
    ]) {
      await expect(calendar().scheduleJob({ id: picked.id, seen, starts_at: LATER })).rejects.toMatchObject({ code: 'STALE_VERSION' });
    }
    expect(await readJob(picked.id)).toMatchObject({ booking_date: START, version: 1 });
  });

  it('returns not found if a colleague has deleted it', async () => {
    const picked = await createSeenJob();
    await firm.people.admin.client.jobs.remove({ id: picked.id });
    await expect(calendar().scheduleJob({ ...picked, starts_at: LATER })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Job not found',
    });
  });

  it.each(['0.25', '0', '-1', '1.1', 'long'])('rejects a duration of %s hours', async (duration) => {
    const picked = await createSeenJob();
    await expect(calendar().scheduleJob({ ...picked, starts_at: START, duration })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { duration: 'Duration must be at least 0.5 hours, in steps of 0.25' } },
    });
    expect(await readJob(picked.id)).toMatchObject({ duration: '1.00', version: 1 });
  });

  it('accepts a duration in quarter hours, which the job form can save too', async () => {
    const picked = await createSeenJob();
    const { job } = await calendar().scheduleJob({ ...picked, starts_at: START, duration: '1.25' });
    expect(job.duration).toBe('1.25');
    const { categories: _, ...stored } = await readJob(picked.id);
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

  it('rejects a person who belongs to another company or does not exist', async () => {
    const picked = await createSeenJob();
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    for (const staff_id of [neighbor.staffIds.staff, randomUUID()]) {
      await expect(calendar().scheduleJob({ ...picked, starts_at: LATER, staff_id })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields: { staff_id: 'This staff member no longer exists. Please choose another one.' } },
      });
    }
    expect(await readJob(picked.id)).toMatchObject({ booking_date: START, version: 1 });
  });

  it('is rejected if its person was deleted, and the response contains no person', async () => {
    const [job, task] = [await createSeenJob(), await createSeenTask()];
    await firm.people.admin.client.staff.remove({ id: firm.staffIds.staff });
    const { scheduleJob, scheduleTask } = firm.people.admin.client.calendar;
    for (const move of [{ starts_at: LATER }, { starts_at: LATER, staff_id: firm.staffIds.staff }]) {
      const stale = { code: 'STALE_VERSION', data: { current: { staff: null } } };
      await expect(scheduleJob({ ...job, ...move })).rejects.toMatchObject(stale);
      await expect(scheduleTask({ ...task, ...move })).rejects.toMatchObject(stale);
    }
    expect(await firm.people.admin.client.jobs.get({ id: job.id })).toMatchObject({ booking_date: START, staff_id: null });
  });

  it('returns not found for another company’s job', async () => {
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    const { id, duration } = await neighbor.createJob();
    const seen = { starts_at: START, duration, staff_id: neighbor.staffIds.staff };
    await expect(calendar().scheduleJob({ id, seen, starts_at: LATER })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('converts a start with a UTC offset to the same instant', async () => {
    const picked = await createSeenJob();
    const seen = { ...picked.seen, starts_at: '2026-11-21T08:00:00+13:00' };
    const { job } = await calendar().scheduleJob({ ...picked, seen, starts_at: '2026-11-22T09:15:00+13:00' });
    expect(job.booking_date).toBe(LATER);
  });
});

describe('moving a task', () => {
  it('changes its start, duration and person', async () => {
    const picked = await createSeenTask({ calendar_duration: null });
    const { events } = await openEventStream(test, firm.people.manager.cookie);
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
    expect(await readTask(picked.id)).toMatchObject({ calendar_date: LATER, show_in_calendar: true, version: 3 });
  });

  it('is idempotent: repeated requests move it once', async () => {
    const picked = await createSeenTask();
    const request = { ...picked, starts_at: LATER };
    const responses = await Promise.all(Array.from({ length: 6 }, () => calendar().scheduleTask(request)));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect((await readTask(picked.id)).version).toBe(2);
  });

  it('is rejected if it was moved, hidden from the calendar or deleted', async () => {
    const picked = await createSeenTask();
    await calendar().scheduleTask({ ...picked, starts_at: LATER });
    await expect(calendar().scheduleTask({ ...picked, starts_at: START })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current: { id: picked.id, calendar_date: LATER } },
    });
    const seen = { ...picked.seen, starts_at: LATER };
    await firm.people.admin.client.tasks.update({ ...(await readTask(picked.id)), show_in_calendar: false });
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

  it('rejects a duration under half an hour and an unknown person', async () => {
    const picked = await createSeenTask();
    await expect(calendar().scheduleTask({ ...picked, starts_at: LATER, duration: '0.25' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(calendar().scheduleTask({ ...picked, starts_at: LATER, staff_id: randomUUID() })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect((await readTask(picked.id)).version).toBe(1);
  });
});

describe('scheduling a job or task that clashes', () => {
  it('reports a job that overlaps a task, and a task that overlaps a job', async () => {
    const job = await createSeenJob();
    const task = await createSeenTask({ calendar_date: LATER });
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

  it('ignores finished, unassigned and other people’s jobs and tasks', async () => {
    const job = await createSeenJob();
    await firm.createTask({ calendar_date: LATER, staff_id: firm.staffIds.manager });
    await firm.createTask({ calendar_date: LATER, staff_id: null });
    expect((await calendar().scheduleJob({ ...job, starts_at: LATER })).clashes).toEqual([]);
    await firm.createTask({ calendar_date: LATER });
    await test.owner.query(`update jobs set status = 'complete' where id = $1`, [job.id]);
    const seen = { ...job.seen, starts_at: LATER };
    expect((await calendar().scheduleJob({ ...job, seen, starts_at: LATER, duration: '2' })).clashes).toEqual([]);
    const task = await createSeenTask({ calendar_date: START, staff_id: null });
    await firm.createTask({ calendar_date: START, staff_id: null });
    expect((await calendar().scheduleTask({ ...task, starts_at: START, duration: '2' })).clashes).toEqual([]);
  });

  it('reports the clash to exactly one of two dispatchers who book the same person at once', async () => {
    const { admin, manager } = firm.people;
    for (let round = 0; round < 50; round += 1) {
      const booking = { starts_at: new Date(Date.UTC(2027, 0, 1 + round, 20)).toISOString(), staff_id: firm.staffIds.staff };
      const unassigned = { staff_id: null };
      const [one, other] =
        round % 2 === 0
          ? [await createSeenTask(unassigned), await createSeenTask(unassigned)]
          : [await createSeenJob(), await createSeenJob()];
      const call = round % 2 === 0 ? 'scheduleTask' : 'scheduleJob';
      const responses = await Promise.all([
        admin.client.calendar[call]({ ...one, ...booking }),
        manager.client.calendar[call]({ ...other, ...booking }),
      ]);
      const reportedIds = responses.flatMap(({ clashes }) => clashes.map(({ id }) => id));
      expect([[one.id], [other.id]]).toContainEqual(reportedIds);
    }
  });

  it('finds a clash with a job that is being saved in the job form', async () => {
    for (let round = 0; round < 10; round += 1) {
      const starts_at = new Date(Date.UTC(2027, 0, 1 + round, 20)).toISOString();
      const picked = await createSeenJob({ staff_id: firm.staffIds.manager });
      const [{ clashes }, created] = await Promise.all([
        calendar().scheduleJob({ ...picked, starts_at, staff_id: firm.staffIds.staff }),
        firm.createJob({ booking_date: starts_at }),
      ]);
      const checked = await calendar().clashes({ staff_id: firm.staffIds.staff, starts_at, except_id: created.id });
      expect(checked.clashes.map(({ id }) => id)).toEqual([picked.id]);
      expect(clashes.every(({ id }) => id === created.id)).toBe(true);
    }
  });

  it('causes no deadlocks with concurrent swaps, saves, timers and the removal of a person', async () => {
    const [one, other] = [await createSeenJob(), await createSeenJob({ staff_id: firm.staffIds.manager })];
    const { staff, manager } = firm.staffIds;
    for (let round = 0; round < 10; round += 1) {
      const [from, to] = round % 2 === 0 ? [staff, manager] : [manager, staff];
      const buildSeen = (staff_id: string) => ({ starts_at: START, duration: '1', staff_id });
      await Promise.all([
        calendar().scheduleJob({ id: one.id, seen: buildSeen(from), starts_at: START, staff_id: to }),
        firm.people.manager.client.calendar.scheduleJob({ id: other.id, seen: buildSeen(to), starts_at: START, staff_id: from }),
        firm.createJob(),
        firm.people.staff.client.timer.start({ id: randomUUID(), job_id: one.id, pause_others: true }),
      ]);
    }
    const extra = await addStaffMember(test, firm.companyId, 'staff');
    const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [extra.userId]);
    const removedId = rows[0]?.id ?? '';
    const picked = await createSeenJob({ staff_id: removedId });
    const move = calendar().scheduleJob({ ...picked, starts_at: LATER });
    const [outcome] = await Promise.all([
      move.then(
        () => 'moved',
        ({ code }: { code: string }) => code,
      ),
      firm.people.admin.client.staff.remove({ id: removedId }),
    ]);
    expect(['moved', 'STALE_VERSION']).toContain(outcome);
    expect(await readJob(picked.id)).toMatchObject({ staff: null, booking_date: outcome === 'moved' ? LATER : START });
  });
});
