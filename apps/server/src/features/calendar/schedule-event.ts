import type { CalendarTask, JobScheduleInput, ScheduledJob, ScheduleInput } from '@callout/contract/calendar';
import type { Clash } from '@callout/contract/clash';
import { staleRecordError } from '@callout/contract/errors';
import type { Job } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { isBusyStatus } from '@callout/domain/calendar/calendar-event';
import { getStatusAfterBooking, getStatusAfterUnbooking } from '@callout/domain/jobs/job';
import { toDecimal } from '@callout/domain/money/decimal';
import { type CompanyTable, type RecordType, readRecord, updateRecordAtVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { jobRecordType, lockJob } from '../jobs/jobs.sql.ts';
import { createMissingReferenceFailure } from '../jobs/save-job.sql.ts';
import { notifyAssignee, recordJobEdit } from '../jobs/save-job.ts';
import { lockTask, taskRecordType } from '../tasks/tasks.sql.ts';
import { findClashes, lockBookedStaff } from './calendar.sql.ts';

/** The start, duration and assigned person of a job or task in the calendar. */
type Booking = ScheduleInput['seen'];

/** Defines how the calendar reads and locks jobs or tasks. */
export interface EventKind<T extends Job | Task> {
  readonly kind: Clash['kind'];
  readonly record: RecordType<CompanyTable, T>;
  readonly lock: (scope: TenantScope, id: string) => Promise<Pick<T, 'status' | 'staff_id'>>;
  readonly getBooking: (record: T) => Booking;
  /** Returns true if the record takes up its person's time, so that overlapping bookings clash. */
  readonly isBusy: (record: T) => boolean;
  readonly toCalendarEvent: (record: T) => object;
}

export const jobEventKind: EventKind<Job> = {
  kind: 'job',
  record: jobRecordType,
  lock: lockJob,
  getBooking: ({ booking_date, duration, staff_id }) => ({ starts_at: booking_date, duration, staff_id }),
  isBusy: ({ status }) => isBusyStatus(status),
  toCalendarEvent: toCalendarJob,
};

export const taskEventKind: EventKind<Task> = {
  kind: 'task',
  record: taskRecordType,
  lock: lockTask,
  getBooking: getTaskBooking,
  isBusy: ({ status }) => status === 'active',
  toCalendarEvent: toCalendarTask,
};

export async function scheduleJob(scope: TenantScope, input: JobScheduleInput): Promise<{ job: ScheduledJob; clashes: Clash[] }> {
  const requested = getRequestedBooking(input);
  const { after, clashes } = await scheduleEvent(scope, { ...input, requested }, jobEventKind, (job) =>
    moveJob(scope, job, requested, input.status),
  );
  return { job: toCalendarJob(after), clashes };
}

export async function scheduleTask(scope: TenantScope, input: ScheduleInput): Promise<{ task: CalendarTask; clashes: Clash[] }> {
  const requested = getRequestedBooking(input);
  const { after, clashes } = await scheduleEvent(scope, { ...input, requested }, taskEventKind, (task) => moveTask(scope, task, requested));
  return { task: { ...toCalendarTask(after), calendar_date: input.starts_at }, clashes };
}

/** Moves a booking and finds its clashes. Fails if the booking no longer matches `seen`, except in a retry that finds it already moved. */
async function scheduleEvent<T extends Job | Task>(
  scope: TenantScope,
  { id, seen, requested }: { id: string; seen: Booking; requested: Booking },
  eventKind: EventKind<T>,
  move: (before: T) => Promise<T>,
): Promise<{ after: T; clashes: Clash[] }> {
  const { record, lock, getBooking, toCalendarEvent } = eventKind;
  const existingStaffIds = await lockBookedStaff(scope, [requested.staff_id, seen.staff_id]);
  await lock(scope, id);
  const before = await readRecord(scope, record, id);
  const isAlreadyMoved = isSameBooking(getBooking(before), requested);
  if (!isAlreadyMoved && !isSameBooking(getBooking(before), seen)) throw toFailure(staleRecordError, { current: toCalendarEvent(before) });
  if (requested.staff_id !== null && !existingStaffIds.has(requested.staff_id))
    throw createMissingReferenceFailure('staff_id', 'staff member');
  const after = isAlreadyMoved ? before : await move(before);
  return { after, clashes: await findEventClashes(scope, eventKind, after) };
}

/** Saves a job's new booking. A job that gets a new date becomes booked, just as in the job form. */
async function moveJob(scope: TenantScope, before: Job, requested: Booking, restoredStatus: JobScheduleInput['status']): Promise<Job> {
  const { starts_at, duration, staff_id } = requested;
  const isBooked = starts_at !== null && starts_at !== before.booking_date;
  const bookedStatus = isBooked ? getStatusAfterBooking(before.status) : before.status;
  const status = restoredStatus ? getStatusAfterUnbooking(before.status, restoredStatus) : bookedStatus;
  const job = await updateRecordAtVersion(scope, jobRecordType, before, { booking_date: starts_at, duration, staff_id, status });
  await recordJobEdit(scope, before, job);
  await notifyAssignee(scope, before, job);
  await publishChange(scope, 'jobs');
  return job;
}

async function moveTask(scope: TenantScope, before: Task, { starts_at, duration, staff_id }: Booking): Promise<Task> {
  const values = { show_in_calendar: true, calendar_date: starts_at, calendar_duration: duration, staff_id };
  const task = await updateRecordAtVersion(scope, taskRecordType, before, values);
  await publishChange(scope, 'tasks');
  return task;
}

const getRequestedBooking = ({ starts_at, duration, staff_id, seen }: JobScheduleInput): Booking => ({
  starts_at,
  duration: duration === undefined ? seen.duration : duration,
  staff_id: staff_id === undefined ? seen.staff_id : staff_id,
});

/** Returns a booking without a start if the task is hidden from the calendar, even if its form still has a date. */
function getTaskBooking({ show_in_calendar, calendar_date, calendar_duration, staff_id }: Task): Booking {
  return { starts_at: show_in_calendar ? calendar_date : null, duration: calendar_duration, staff_id };
}

function isSameBooking(one: Booking, other: Booking): boolean {
  return one.starts_at === other.starts_at && one.staff_id === other.staff_id && isSameDuration(one.duration, other.duration);
}

const isSameDuration = (one: string | null, other: string | null) =>
  one === null || other === null ? one === other : toDecimal(one).eq(toDecimal(other));

/** Finds the bookings that `event` clashes with. Returns none if the event has no start or person, or is done or canceled. */
export async function findEventClashes<T extends Job | Task>(scope: TenantScope, { kind, getBooking, isBusy }: EventKind<T>, event: T) {
  const { starts_at, duration, staff_id } = getBooking(event);
  if (starts_at === null || staff_id === null || !isBusy(event)) return [];
  return findClashes(scope, { starts_at, duration, staff_id, except_id: event.id, except_kind: kind });
}

function toCalendarJob({ id, job_number, title, status, duration, booking_date, address, customer, staff, timer }: Job) {
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

function toCalendarTask(task: Task) {
  const { id, title, color, status, calendar_duration, staff } = task;
  return { id, title, color, status, calendar_duration, staff, calendar_date: getTaskBooking(task).starts_at };
}
