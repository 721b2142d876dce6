import { randomUUID } from 'node:crypto';
import { MAX_CALENDAR_EVENTS } from '@callout/contract/calendar';
import { PAGE_SIZE } from '@callout/contract/lists';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { MAX_COUNT } from '@callout/domain/text/count-format';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: CalendarFirm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createCalendarFirm(test);
});

const calendar = () => firm.people.staff.client.calendar;
const WEEK = { from: '2026-11-16T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' };
const listEvents = (over: Partial<Parameters<CalendarFirm['people']['staff']['client']['calendar']['events']>[0]> = {}) =>
  calendar().events({ ...WEEK, ...over });
const listTitles = async (over: Parameters<typeof listEvents>[0] = {}) => {
  const { jobs, tasks } = await listEvents(over);
  return [...jobs, ...tasks].map(({ title }) => title);
};

describe('listing a week’s events', () => {
  it('returns jobs, with their customer, staff and timer, and tasks, each sorted by start', async () => {
    const late = await firm.createJob({ title: 'Late', booking_date: '2026-11-18T03:00:00.000Z', duration: '2.5' });
    const early = await firm.createJob({ title: 'Early', booking_date: '2026-11-17T03:00:00.000Z' });
    const task = await firm.createTask({ calendar_date: '2026-11-17T05:00:00.000Z', color: 'teal' });
    const first = await firm.createTask({ title: 'First', calendar_date: '2026-11-16T05:00:00.000Z', staff_id: null });
    await firm.people.staff.client.timer.start({ id: randomUUID(), job_id: late.id });
    const { jobs, tasks, is_cut } = await listEvents();
    expect(jobs.map(({ id }) => id)).toEqual([early.id, late.id]);
    expect(jobs[1]).toEqual({
      id: late.id,
      job_number: late.job_number,
      title: 'Late',
      status: 'booked',
      booking_date: '2026-11-18T03:00:00.000Z',
      duration: '2.50',
      address: '1 Queen Street, Auckland',
      customer: { id: firm.customer.id, name: 'Ana Ruiz', company_name: null, phone: '021 555 123' },
      staff: { id: firm.staffIds.staff, name: 'The staff', hex_code: null },
      timer_status: 'started',
    });
    expect(tasks.map(({ id }) => id)).toEqual([first.id, task.id]);
    expect(tasks[1]).toEqual({
      id: task.id,
      title: 'Order parts',
      color: 'teal',
      status: 'active',
      calendar_date: '2026-11-17T05:00:00.000Z',
      calendar_duration: '1.00',
      staff: { id: firm.staffIds.staff, name: 'The staff', hex_code: null },
    });
    expect(is_cut).toBe(false);
  });

  it('excludes jobs without a date and tasks hidden from the calendar', async () => {
    await firm.createUnscheduledJob();
    await firm.createTask({ show_in_calendar: false });
    expect(await listTitles()).toEqual([]);
  });

  it.each([
    ['ends when the week starts', '2026-11-15T23:00:00.000Z', '1', false],
    ['ends 15 minutes into the week', '2026-11-15T23:00:00.000Z', '1.25', true],
    ['starts the evening before', '2026-11-15T20:00:00.000Z', '8', true],
    ['starts a day before', '2026-11-15T00:00:00.000Z', '24.25', true],
    ['lasts a day and ends when the week starts', '2026-11-15T00:00:00.000Z', '24', false],
    ['starts three weeks before', '2026-10-26T20:00:00.000Z', '504', true],
    ['starts and ends weeks before', '2026-10-26T20:00:00.000Z', '72', false],
    ['has the maximum duration', '2025-09-26T12:00:00.000Z', '9999.75', true],
    ['starts with the week', '2026-11-16T00:00:00.000Z', '1', true],
    ['starts in the last minute', '2026-11-22T23:59:00.000Z', '1', true],
    ['starts when the week ends', '2026-11-23T00:00:00.000Z', '1', false],
  ])('includes an event that %s only if it overlaps the week', async (_, start, hours, isIncluded) => {
    await firm.createJob({ title: 'The job', booking_date: start, duration: hours });
    await firm.createTask({ title: 'The task', calendar_date: start, calendar_duration: hours });
    expect(await listTitles()).toEqual(isIncluded ? ['The job', 'The task'] : []);
  });

  it('treats an event without a duration as one hour long', async () => {
    const { id } = await firm.createJob({ booking_date: '2026-11-15T23:30:00.000Z', title: 'The job' });
    await test.owner.query('update jobs set duration = null where id = $1', [id]);
    await firm.createTask({ title: 'The task', calendar_date: '2026-11-15T23:30:00.000Z', calendar_duration: null });
    expect(await listTitles()).toEqual(['The job', 'The task']);
    expect(await listTitles({ from: '2026-11-16T00:30:00.000Z' })).toEqual([]);
    const { jobs, tasks } = await listEvents();
    expect([jobs[0]?.duration, tasks[0]?.calendar_duration]).toEqual([null, null]);
  });

  it('filters jobs by status, but includes all tasks, even completed ones', async () => {
    for (const status of JOB_STATUSES) {
      const { id } = await firm.createJob({ title: status });
      await test.owner.query('update jobs set status = $2 where id = $1', [id, status]);
    }
    const { id } = await firm.createTask({ title: 'task' });
    await firm.people.admin.client.tasks.setStatus({ id, status: 'completed' });
    expect((await listTitles()).toSorted()).toEqual([...JOB_STATUSES, 'task'].toSorted());
    for (const status of ['pending', 'booked', 'complete'] as const) expect(await listTitles({ status })).toEqual([status, 'task']);
  });

  it('filters events by person', async () => {
    await firm.createJob({ title: 'Mine' });
    await firm.createTask({ title: 'My task' });
    await firm.createJob({ title: 'Theirs', staff_id: firm.staffIds.manager });
    await firm.createTask({ title: 'Unassigned', staff_id: null });
    expect(await listTitles({ staff_id: firm.staffIds.staff })).toEqual(['Mine', 'My task']);
    expect(await listTitles({ staff_id: firm.staffIds.manager, status: 'booked' })).toEqual(['Theirs']);
    expect(await listTitles({ staff_id: randomUUID() })).toEqual([]);
  });

  it('returns events even if their person or customer was deleted', async () => {
    await firm.createJob({ use_alternate_address: true, address: '9 Side Road' });
    await firm.createTask();
    await firm.people.admin.client.staff.remove({ id: firm.staffIds.staff });
    await firm.people.admin.client.customers.remove({ id: firm.customer.id });
    const { jobs, tasks } = await firm.people.admin.client.calendar.events(WEEK);
    expect([jobs[0]?.staff, jobs[0]?.customer, jobs[0]?.address, tasks[0]?.staff]).toEqual([null, null, '9 Side Road', null]);
  });

  it('returns no other company’s events', async () => {
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    await neighbor.createJob();
    await neighbor.createTask();
    expect(await listTitles()).toEqual([]);
    expect(await listTitles({ staff_id: neighbor.staffIds.staff })).toEqual([]);
  });

  it('reports that there are more events than one response can hold', async () => {
    const created_at = '2026-11-01T00:00:00.000Z';
    const seeds = Array.from({ length: MAX_CALENDAR_EVENTS }, (_, index) => ({
      title: `Job ${index}`,
      created_at,
      booking_date: '2026-11-17T03:00:00.000Z',
      duration: '1',
    }));
    await insertJobs(test, firm.companyId, seeds);
    const complete = await listEvents();
    expect([complete.jobs.length, complete.is_cut]).toEqual([MAX_CALENDAR_EVENTS, false]);
    await firm.createTask({ calendar_date: '2026-11-16T03:00:00.000Z' });
    const cut = await listEvents();
    expect([cut.jobs.length, cut.tasks.length, cut.is_cut]).toEqual([MAX_CALENDAR_EVENTS - 1, 1, true]);
  });

  it.each([
    [{ from: WEEK.to, to: WEEK.from }, { to: 'The end must be after the start' }],
    [{ from: WEEK.from, to: WEEK.from }, { to: 'The end must be after the start' }],
    [{ to: '2027-01-23T00:00:00.000Z' }, { to: 'Choose at most 45 days' }],
    [{ from: 'now' }, { from: 'From is required' }],
  ])('rejects the range %j', async (over, fields) => {
    await expect(listEvents(over)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
  });
});

describe('listing unscheduled jobs', () => {
  it('returns active jobs without a date, newest first', async () => {
    for (const status of JOB_STATUSES) await firm.createUnscheduledJob({ title: status, status });
    await firm.createJob({ title: 'Scheduled' });
    const { rows, next_cursor, total } = await calendar().unscheduled({});
    expect(rows.map(({ title }) => title)).toEqual(['booked', 'contacted', 'pending']);
    expect([total, next_cursor]).toEqual([3, null]);
    expect(rows[0]).toMatchObject({
      status: 'booked',
      duration: null,
      address: '1 Queen Street, Auckland',
      customer: { name: 'Ana Ruiz', phone: '021 555 123' },
      staff: null,
      created_at: expect.stringMatching(/^20\d\d-.*Z$/),
    });
  });

  it('returns the total count and pages through all jobs', async () => {
    const seeds = Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, index) => ({
      title: `Job ${index}`,
      status: 'pending',
      // Many jobs share a timestamp, so that the id has to break ties.
      created_at: new Date(Date.UTC(2026, 10, 1, 0, Math.floor(index / 40))).toISOString(),
    }));
    await insertJobs(test, firm.companyId, seeds);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await calendar().unscheduled(cursor === undefined ? {} : { cursor });
      expect(page.total).toBe(seeds.length);
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seeds.length);
    expect(seen).toHaveLength(seeds.length);
    await expect(calendar().unscheduled({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('stops counting after 1,000 jobs', async () => {
    const seeds = Array.from({ length: MAX_COUNT + 2 }, (_, index) => ({
      title: `Job ${index}`,
      status: 'pending',
      created_at: WEEK.from,
    }));
    await insertJobs(test, firm.companyId, seeds);
    expect((await calendar().unscheduled({})).total).toBe(MAX_COUNT + 1);
  });
});

describe('finding clashes', () => {
  const findClashesAt = (starts_at: string, over: object = {}) =>
    calendar().clashes({ staff_id: firm.staffIds.staff, starts_at, duration: '1', ...over });

  it('returns overlapping jobs and tasks of the same person', async () => {
    const job = await firm.createJob({ booking_date: '2026-11-17T03:00:00.000Z', duration: '2' });
    const task = await firm.createTask({ calendar_date: '2026-11-17T04:30:00.000Z', calendar_duration: '1' });
    await firm.createJob({ booking_date: '2026-11-17T04:00:00.000Z', staff_id: firm.staffIds.manager });
    const { clashes } = await findClashesAt('2026-11-17T04:15:00.000Z');
    expect(clashes).toEqual([
      {
        kind: 'job',
        id: job.id,
        job_number: job.job_number,
        title: 'Fix the kitchen tap',
        staff_name: 'The staff',
        starts_at: '2026-11-17T03:00:00.000Z',
        ends_at: '2026-11-17T05:00:00.000Z',
        overlap_minutes: 45,
      },
      {
        kind: 'task',
        id: task.id,
        job_number: null,
        title: 'Order parts',
        staff_name: 'The staff',
        starts_at: '2026-11-17T04:30:00.000Z',
        ends_at: '2026-11-17T05:30:00.000Z',
        overlap_minutes: 45,
      },
    ]);
    expect((await findClashesAt('2026-11-17T04:15:00.000Z', { except_id: job.id })).clashes.map(({ id }) => id)).toEqual([task.id]);
    expect((await findClashesAt('2026-11-17T05:30:00.000Z')).clashes).toEqual([]);
    expect((await findClashesAt('2026-11-17T02:00:00.000Z')).clashes).toEqual([]);
    expect((await findClashesAt('2026-11-17T02:00:00.000Z', { duration: undefined })).clashes).toEqual([]);
    expect((await findClashesAt('2026-11-17T02:15:00.000Z', { duration: undefined })).clashes).toMatchObject([{ overlap_minutes: 15 }]);
  });

  it('ignores overlaps shorter than a minute', async () => {
    await firm.createJob({ booking_date: '2026-11-17T03:00:00.000Z', duration: '1' });
    expect((await findClashesAt('2026-11-17T03:59:01.000Z')).clashes).toEqual([]);
    expect((await findClashesAt('2026-11-17T03:59:00.000Z')).clashes).toMatchObject([{ overlap_minutes: 1 }]);
  });

  it('ignores finished and canceled work, and work of other companies', async () => {
    for (const status of ['complete', 'invoiced', 'paid', 'canceled'] as const) {
      const { id } = await firm.createJob();
      await test.owner.query('update jobs set status = $2 where id = $1', [id, status]);
    }
    const { id } = await firm.createTask({ calendar_date: '2026-11-20T19:00:00.000Z' });
    await firm.people.admin.client.tasks.setStatus({ id, status: 'completed' });
    await firm.createTask({ show_in_calendar: false, calendar_date: '2026-11-20T19:00:00.000Z' });
    expect((await findClashesAt('2026-11-20T19:00:00.000Z')).clashes).toEqual([]);
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    await neighbor.createJob();
    expect((await findClashesAt('2026-11-20T19:00:00.000Z', { staff_id: neighbor.staffIds.staff })).clashes).toEqual([]);
  });

  it('includes a job that started weeks ago', async () => {
    await firm.createJob({ booking_date: '2026-11-01T00:00:00.000Z', duration: '720' });
    expect((await findClashesAt('2026-11-20T19:00:00.000Z')).clashes).toMatchObject([{ overlap_minutes: 60 }]);
  });
});
