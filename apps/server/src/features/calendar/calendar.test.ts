import { randomUUID } from 'node:crypto';
import { MAX_CALENDAR_EVENTS } from '@callout/contract/calendar';
import { PAGE_SIZE } from '@callout/contract/lists';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
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
const events = (over: Partial<Parameters<CalendarFirm['people']['staff']['client']['calendar']['events']>[0]> = {}) =>
  calendar().events({ ...WEEK, ...over });
const titles = async (over: Parameters<typeof events>[0] = {}) => {
  const { jobs, tasks } = await events(over);
  return [...jobs, ...tasks].map(({ title }) => title);
};

describe('the events of a week', () => {
  it('are jobs with customer, staff and timer, and tasks, each by their start', async () => {
    const late = await firm.addJob({ title: 'Late', booking_date: '2026-11-18T03:00:00.000Z', duration: '2.5' });
    const early = await firm.addJob({ title: 'Early', booking_date: '2026-11-17T03:00:00.000Z' });
    const task = await firm.addTask({ calendar_date: '2026-11-17T05:00:00.000Z', color: 'teal' });
    const first = await firm.addTask({ title: 'First', calendar_date: '2026-11-16T05:00:00.000Z', staff_id: null });
    await firm.people.staff.client.timer.start({ id: randomUUID(), job_id: late.id });
    const { jobs, tasks, is_cut } = await events();
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

  it('leave out jobs without a date and tasks that are not shown in the calendar', async () => {
    await firm.addUnscheduledJob();
    await firm.addTask({ show_in_calendar: false });
    expect(await titles()).toEqual([]);
  });

  it.each([
    ['ends as the week begins', '2026-11-15T23:00:00.000Z', '1', false],
    ['ends a quarter later', '2026-11-15T23:00:00.000Z', '1.25', true],
    ['began the evening before', '2026-11-15T20:00:00.000Z', '8', true],
    ['began a day before', '2026-11-15T00:00:00.000Z', '24.25', true],
    ['ended after a day, as the week begins', '2026-11-15T00:00:00.000Z', '24', false],
    ['began three weeks before', '2026-10-26T20:00:00.000Z', '504', true],
    ['began and ended weeks before', '2026-10-26T20:00:00.000Z', '72', false],
    ['took the longest time there is', '2025-09-26T12:00:00.000Z', '9999.75', true],
    ['begins with the week', '2026-11-16T00:00:00.000Z', '1', true],
    ['begins in the last minute', '2026-11-22T23:59:00.000Z', '1', true],
    ['begins as the week ends', '2026-11-23T00:00:00.000Z', '1', false],
  ])('hold what takes place in it: what %s', async (_, start, hours, isShown) => {
    await firm.addJob({ title: 'The job', booking_date: start, duration: hours });
    await firm.addTask({ title: 'The task', calendar_date: start, calendar_duration: hours });
    expect(await titles()).toEqual(isShown ? ['The job', 'The task'] : []);
  });

  it('without a duration take an hour', async () => {
    const { id } = await firm.addJob({ booking_date: '2026-11-15T23:30:00.000Z', title: 'The job' });
    await test.owner.query('update jobs set duration = null where id = $1', [id]);
    await firm.addTask({ title: 'The task', calendar_date: '2026-11-15T23:30:00.000Z', calendar_duration: null });
    expect(await titles()).toEqual(['The job', 'The task']);
    expect(await titles({ from: '2026-11-16T00:30:00.000Z' })).toEqual([]);
    const { jobs, tasks } = await events();
    expect([jobs[0]?.duration, tasks[0]?.calendar_duration]).toEqual([null, null]);
  });

  it('are limited to a status of jobs; tasks, also completed ones, stay', async () => {
    for (const status of JOB_STATUSES) {
      const { id } = await firm.addJob({ title: status });
      await test.owner.query('update jobs set status = $2 where id = $1', [id, status]);
    }
    const { id } = await firm.addTask({ title: 'task' });
    await firm.people.admin.client.tasks.setStatus({ id, status: 'completed' });
    expect((await titles()).toSorted()).toEqual([...JOB_STATUSES, 'task'].toSorted());
    for (const status of ['pending', 'booked', 'complete'] as const) expect(await titles({ status })).toEqual([status, 'task']);
  });

  it('are limited to a person', async () => {
    await firm.addJob({ title: 'Mine' });
    await firm.addTask({ title: 'My task' });
    await firm.addJob({ title: 'Theirs', staff_id: firm.staffIds.manager });
    await firm.addTask({ title: 'Unassigned', staff_id: null });
    expect(await titles({ staff_id: firm.staffIds.staff })).toEqual(['Mine', 'My task']);
    expect(await titles({ staff_id: firm.staffIds.manager, status: 'booked' })).toEqual(['Theirs']);
    expect(await titles({ staff_id: randomUUID() })).toEqual([]);
  });

  it('stay when their person or customer is deleted', async () => {
    await firm.addJob({ use_alternate_address: true, address: '9 Side Road' });
    await firm.addTask();
    await firm.people.admin.client.staff.remove({ id: firm.staffIds.staff });
    await firm.people.admin.client.customers.remove({ id: firm.customer.id });
    const { jobs, tasks } = await firm.people.admin.client.calendar.events(WEEK);
    expect([jobs[0]?.staff, jobs[0]?.customer, jobs[0]?.address, tasks[0]?.staff]).toEqual([null, null, '9 Side Road', null]);
  });

  it('are of the own company', async () => {
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    await neighbor.addJob();
    await neighbor.addTask();
    expect(await titles()).toEqual([]);
    expect(await titles({ staff_id: neighbor.staffIds.staff })).toEqual([]);
  });

  it('say so when there are more than one answer holds', async () => {
    const created_at = '2026-11-01T00:00:00.000Z';
    const seeds = Array.from({ length: MAX_CALENDAR_EVENTS }, (_, index) => ({
      title: `Job ${index}`,
      created_at,
      booking_date: '2026-11-17T03:00:00.000Z',
      duration: '1',
    }));
    await insertJobs(test, firm.companyId, seeds);
    const whole = await events();
    expect([whole.jobs.length, whole.is_cut]).toEqual([MAX_CALENDAR_EVENTS, false]);
    await firm.addTask({ calendar_date: '2026-11-16T03:00:00.000Z' });
    const cut = await events();
    expect([cut.jobs.length, cut.tasks.length, cut.is_cut]).toEqual([MAX_CALENDAR_EVENTS - 1, 1, true]);
  });

  it.each([
    [{ from: WEEK.to, to: WEEK.from }, { to: 'The end must be after the start' }],
    [{ from: WEEK.from, to: WEEK.from }, { to: 'The end must be after the start' }],
    [{ to: '2027-01-23T00:00:00.000Z' }, { to: 'At most 45 days at once' }],
    [{ from: 'now' }, { from: 'From is required' }],
  ])('are not read for %j', async (over, fields) => {
    await expect(events(over)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
  });
});

describe('the unscheduled jobs', () => {
  it('are those to do without a date, the newest first', async () => {
    for (const status of JOB_STATUSES) await firm.addUnscheduledJob({ title: status, status });
    await firm.addJob({ title: 'Scheduled' });
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

  it('are counted, and read page by page', async () => {
    const seeds = Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, index) => ({
      title: `Job ${index}`,
      status: 'pending',
      // Many at once: the id tells them apart.
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
});

describe('the clashes of a time', () => {
  const at = (starts_at: string, over: object = {}) =>
    calendar().clashes({ staff_id: firm.staffIds.staff, starts_at, duration: '1', ...over });

  it('are the jobs and tasks of the same person that overlap', async () => {
    const job = await firm.addJob({ booking_date: '2026-11-17T03:00:00.000Z', duration: '2' });
    const task = await firm.addTask({ calendar_date: '2026-11-17T04:30:00.000Z', calendar_duration: '1' });
    await firm.addJob({ booking_date: '2026-11-17T04:00:00.000Z', staff_id: firm.staffIds.manager });
    const { clashes } = await at('2026-11-17T04:15:00.000Z');
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
    expect((await at('2026-11-17T04:15:00.000Z', { except_id: job.id })).clashes.map(({ id }) => id)).toEqual([task.id]);
    expect((await at('2026-11-17T05:30:00.000Z')).clashes).toEqual([]);
    expect((await at('2026-11-17T02:00:00.000Z')).clashes).toEqual([]);
    expect((await at('2026-11-17T02:00:00.000Z', { duration: undefined })).clashes).toEqual([]);
    expect((await at('2026-11-17T02:15:00.000Z', { duration: undefined })).clashes).toMatchObject([{ overlap_minutes: 15 }]);
  });

  it('are not those of less than a minute', async () => {
    await firm.addJob({ booking_date: '2026-11-17T03:00:00.000Z', duration: '1' });
    expect((await at('2026-11-17T03:59:01.000Z')).clashes).toEqual([]);
    expect((await at('2026-11-17T03:59:00.000Z')).clashes).toMatchObject([{ overlap_minutes: 1 }]);
  });

  it('are not with finished or canceled work, nor with that of other companies', async () => {
    for (const status of ['complete', 'invoiced', 'paid', 'canceled'] as const) {
      const { id } = await firm.addJob();
      await test.owner.query('update jobs set status = $2 where id = $1', [id, status]);
    }
    const { id } = await firm.addTask({ calendar_date: '2026-11-20T19:00:00.000Z' });
    await firm.people.admin.client.tasks.setStatus({ id, status: 'completed' });
    await firm.addTask({ show_in_calendar: false, calendar_date: '2026-11-20T19:00:00.000Z' });
    expect((await at('2026-11-20T19:00:00.000Z')).clashes).toEqual([]);
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    await neighbor.addJob();
    expect((await at('2026-11-20T19:00:00.000Z', { staff_id: neighbor.staffIds.staff })).clashes).toEqual([]);
  });

  it('are also with a job that began weeks ago', async () => {
    await firm.addJob({ booking_date: '2026-11-01T00:00:00.000Z', duration: '720' });
    expect((await at('2026-11-20T19:00:00.000Z')).clashes).toMatchObject([{ overlap_minutes: 60 }]);
  });
});
