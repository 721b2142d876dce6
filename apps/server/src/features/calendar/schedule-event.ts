import type { CalendarJob, CalendarTask, Clash, ScheduleInput } from '@callout/contract/calendar';
import { staleRecord } from '@callout/contract/errors';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { takesTime } from '@callout/domain/calendar/calendar-event';
import { statusOnceBooked } from '@callout/domain/jobs/job';
import { decimal } from '@callout/domain/money/decimal';
import { readRecord, updateFromVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { changesBetween, recordEvent } from '../history/history.sql.ts';
import { jobRecord, lockJob } from '../jobs/jobs.sql.ts';
import { historyOf, notifyAssigned } from '../jobs/save-job.ts';
import { lockTask, taskRecord } from '../tasks/tasks.sql.ts';
import { findClashes, lockBookedStaff } from './calendar.sql.ts';

/** Where something is in the calendar, and whose it is. */
type Booking = ScheduleInput['seen'];

export async function scheduleJob(scope: TenantScope, input: ScheduleInput): Promise<{ job: CalendarJob; clashes: Clash[] }> {
  const { id, seen } = input;
  await readRecord(scope, jobRecord, id);
  await lockBookedStaff(scope, [input.staff_id, seen.staff_id]);
  await lockJob(scope, id);
  const before = await readRecord(scope, jobRecord, id);
  const wanted = wantedBooking(input);
  const isDone = isSameBooking(bookingOfJob(before), wanted);
  if (!isDone && !isSameBooking(bookingOfJob(before), seen)) throw failureOf(staleRecord, { current: calendarJobOf(before) });
  const job = isDone ? before : await moveJob(scope, before, wanted);
  const clashes = takesTime(job.status) ? await clashesOf(scope, id, wanted) : [];
  return { job: { ...calendarJobOf(job), booking_date: wanted.starts_at }, clashes };
}

/** A job that gets another date is booked, as in its form. */
async function moveJob(scope: TenantScope, before: Job, { starts_at, duration, staff_id }: WantedBooking): Promise<Job> {
  const status = starts_at === before.booking_date ? before.status : statusOnceBooked(before.status);
  const job = await updateFromVersion(scope, jobRecord, before, { booking_date: starts_at, duration, staff_id, status });
  await recordEvent(scope, 'job', job.id, 'edited', changesBetween(historyOf(before), historyOf(job)));
  await notifyAssigned(scope, before, job);
  await publishChange(scope, 'jobs');
  return job;
}

export async function scheduleTask(scope: TenantScope, input: ScheduleInput): Promise<{ task: CalendarTask; clashes: Clash[] }> {
  const { id, seen } = input;
  await readRecord(scope, taskRecord, id);
  await lockBookedStaff(scope, [input.staff_id, seen.staff_id]);
  await lockTask(scope, id);
  const before = await readRecord(scope, taskRecord, id);
  const wanted = wantedBooking(input);
  const isDone = isSameBooking(bookingOfTask(before), wanted);
  if (!isDone && !isSameBooking(bookingOfTask(before), seen)) throw failureOf(staleRecord, { current: calendarTaskOf(before) });
  const task = isDone ? before : await moveTask(scope, before, wanted);
  const clashes = task.status === 'active' ? await clashesOf(scope, id, wanted) : [];
  return { task: { ...calendarTaskOf(task), calendar_date: wanted.starts_at }, clashes };
}

async function moveTask(scope: TenantScope, before: Task, { starts_at, duration, staff_id }: WantedBooking): Promise<Task> {
  const values = { show_in_calendar: true, calendar_date: starts_at, calendar_duration: duration, staff_id };
  const task = await updateFromVersion(scope, taskRecord, before, values);
  await publishChange(scope, 'tasks');
  return task;
}

interface WantedBooking extends Booking {
  readonly starts_at: string;
}

const wantedBooking = ({ starts_at, duration, staff_id, seen }: ScheduleInput): WantedBooking => ({
  starts_at,
  duration: duration ?? seen.duration,
  staff_id: staff_id ?? seen.staff_id,
});

const bookingOfJob = ({ booking_date, duration, staff_id }: Job): Booking => ({ starts_at: booking_date, duration, staff_id });

/** A task that is no longer shown in the calendar has no place there, whatever date its form keeps. */
const bookingOfTask = ({ show_in_calendar, calendar_date, calendar_duration, staff_id }: Task): Booking => ({
  starts_at: show_in_calendar ? calendar_date : null,
  duration: calendar_duration,
  staff_id,
});

function isSameBooking(one: Booking, other: Booking): boolean {
  return one.starts_at === other.starts_at && one.staff_id === other.staff_id && isSameDuration(one.duration, other.duration);
}

const isSameDuration = (one: string | null, other: string | null) =>
  one === null || other === null ? one === other : decimal(one).eq(decimal(other));

async function clashesOf(scope: TenantScope, id: string, { staff_id, ...booking }: WantedBooking): Promise<Clash[]> {
  return staff_id === null ? [] : findClashes(scope, { ...booking, staff_id, except_id: id });
}

function calendarJobOf({ id, job_number, title, status, duration, booking_date, address, customer, staff, timer }: Job) {
  return {
    id,
    job_number,
    title,
    status,
    duration,
    booking_date,
    address: address ?? customer?.address ?? null,
    customer: customer && { id: customer.id, name: customer.name, company_name: customer.company_name, phone: customer.phone },
    staff: staff && { id: staff.id, name: staff.name, hex_code: staff.hex_code },
    timer_status: timer.timer_status,
  };
}

function calendarTaskOf(task: Task) {
  const { id, title, color, status, calendar_duration, staff } = task;
  return { id, title, color, status, calendar_duration, staff, calendar_date: bookingOfTask(task).starts_at };
}
