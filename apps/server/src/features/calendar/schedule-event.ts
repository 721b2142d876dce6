import type { CalendarTask, JobScheduleInput, ScheduledJob, ScheduleInput } from '@callout/contract/calendar';
import type { Clash } from '@callout/contract/clash';
import { staleRecord } from '@callout/contract/errors';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { takesTime } from '@callout/domain/calendar/calendar-event';
import { statusOnceBooked, statusOnceUnbooked } from '@callout/domain/jobs/job';
import { decimal } from '@callout/domain/money/decimal';
import { type CompanyTable, type RecordKind, readRecord, updateFromVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { jobRecord, lockJob } from '../jobs/jobs.sql.ts';
import { goneReference } from '../jobs/save-job.sql.ts';
import { notifyAssigned, recordEdit } from '../jobs/save-job.ts';
import { lockTask, taskRecord } from '../tasks/tasks.sql.ts';
import { findClashes, lockBookedStaff } from './calendar.sql.ts';

/** Where something is in the calendar, and whose it is. */
type Booking = ScheduleInput['seen'];

/** A kind of record that has a place in the calendar. */
export interface EventKind<Found extends Job | Task> {
  readonly kind: Clash['kind'];
  readonly record: RecordKind<CompanyTable, Found>;
  readonly lock: (scope: TenantScope, id: string) => Promise<Pick<Found, 'status' | 'staff_id'>>;
  readonly bookingOf: (found: Found) => Booking;
  /** Whether it takes its person's time. */
  readonly isBusy: (found: Found) => boolean;
  /** As the calendar shows it. */
  readonly shown: (found: Found) => object;
}

export const jobEvent: EventKind<Job> = {
  kind: 'job',
  record: jobRecord,
  lock: lockJob,
  bookingOf: ({ booking_date, duration, staff_id }) => ({ starts_at: booking_date, duration, staff_id }),
  isBusy: ({ status }) => takesTime(status),
  shown: calendarJobOf,
};

export const taskEvent: EventKind<Task> = {
  kind: 'task',
  record: taskRecord,
  lock: lockTask,
  bookingOf: bookingOfTask,
  isBusy: ({ status }) => status === 'active',
  shown: calendarTaskOf,
};

export async function scheduleJob(scope: TenantScope, input: JobScheduleInput): Promise<{ job: ScheduledJob; clashes: Clash[] }> {
  const wanted = wantedBooking(input);
  const { found, clashes } = await schedule(scope, { ...input, wanted }, jobEvent, (before) =>
    moveJob(scope, before, wanted, input.status),
  );
  return { job: calendarJobOf(found), clashes };
}

export async function scheduleTask(scope: TenantScope, input: ScheduleInput): Promise<{ task: CalendarTask; clashes: Clash[] }> {
  const wanted = wantedBooking(input);
  const { found, clashes } = await schedule(scope, { ...input, wanted }, taskEvent, (before) => moveTask(scope, before, wanted));
  return { task: { ...calendarTaskOf(found), calendar_date: input.starts_at }, clashes };
}

/** Moves it from where it was seen, once: a repeat finds it where it is wanted. Then finds what else takes the time of its person. */
async function schedule<Found extends Job | Task>(
  scope: TenantScope,
  { id, seen, wanted }: { id: string; seen: Booking; wanted: Booking },
  event: EventKind<Found>,
  move: (before: Found) => Promise<Found>,
): Promise<{ found: Found; clashes: Clash[] }> {
  const { record, lock, bookingOf, shown } = event;
  const people = await lockBookedStaff(scope, [wanted.staff_id, seen.staff_id]);
  await lock(scope, id);
  const before = await readRecord(scope, record, id);
  const isDone = isSameBooking(bookingOf(before), wanted);
  if (!isDone && !isSameBooking(bookingOf(before), seen)) throw failureOf(staleRecord, { current: shown(before) });
  if (wanted.staff_id !== null && !people.has(wanted.staff_id)) throw goneReference('staff_id', 'staff member');
  const found = isDone ? before : await move(before);
  return { found, clashes: await clashesOf(scope, event, found) };
}

/** A job that gets another date is booked, as in its form. */
async function moveJob(scope: TenantScope, before: Job, wanted: Booking, restored: JobScheduleInput['status']): Promise<Job> {
  const { starts_at, duration, staff_id } = wanted;
  const isBooked = starts_at !== null && starts_at !== before.booking_date;
  const status = restored ? statusOnceUnbooked(before.status, restored) : isBooked ? statusOnceBooked(before.status) : before.status;
  const job = await updateFromVersion(scope, jobRecord, before, { booking_date: starts_at, duration, staff_id, status });
  await recordEdit(scope, before, job);
  await notifyAssigned(scope, before, job);
  await publishChange(scope, 'jobs');
  return job;
}

async function moveTask(scope: TenantScope, before: Task, { starts_at, duration, staff_id }: Booking): Promise<Task> {
  const values = { show_in_calendar: true, calendar_date: starts_at, calendar_duration: duration, staff_id };
  const task = await updateFromVersion(scope, taskRecord, before, values);
  await publishChange(scope, 'tasks');
  return task;
}

const wantedBooking = ({ starts_at, duration, staff_id, seen }: JobScheduleInput): Booking => ({
  starts_at,
  duration: duration === undefined ? seen.duration : duration,
  staff_id: staff_id === undefined ? seen.staff_id : staff_id,
});

/** A task that is no longer shown in the calendar has no place there, whatever date its form keeps. */
function bookingOfTask({ show_in_calendar, calendar_date, calendar_duration, staff_id }: Task): Booking {
  return { starts_at: show_in_calendar ? calendar_date : null, duration: calendar_duration, staff_id };
}

function isSameBooking(one: Booking, other: Booking): boolean {
  return one.starts_at === other.starts_at && one.staff_id === other.staff_id && isSameDuration(one.duration, other.duration);
}

const isSameDuration = (one: string | null, other: string | null) =>
  one === null || other === null ? one === other : decimal(one).eq(decimal(other));

/** What else takes the time of its person, while it takes that itself. */
export async function clashesOf<Found extends Job | Task>(scope: TenantScope, { kind, bookingOf, isBusy }: EventKind<Found>, found: Found) {
  const { starts_at, duration, staff_id } = bookingOf(found);
  if (starts_at === null || staff_id === null || !isBusy(found)) return [];
  return findClashes(scope, { starts_at, duration, staff_id, except_id: found.id, except_kind: kind });
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
