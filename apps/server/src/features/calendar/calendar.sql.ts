import { type CalendarJob, type CalendarTask, MAX_CALENDAR_EVENTS, type UnscheduledJob } from '@callout/contract/calendar';
import type { Clash } from '@callout/contract/clash';
import { PAGE_SIZE } from '@callout/contract/lists';
import { type CalendarStatus, calculateEventEnd, calculateOverlapMinutes } from '@callout/domain/calendar/calendar-event';
import type { JobStatus } from '@callout/domain/jobs/job';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { and, inArray, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { buildPage, decodeCursor, isInstantKey } from '../../platform/db/cursor.ts';
import { countRows } from '../../platform/db/list-statements.ts';
import { type PreparedSelect, prepareSelectFrom } from '../../platform/db/prepared-select.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { isActiveJob } from '../jobs/jobs.sql.ts';
import { jobs } from '../jobs/jobs.table.ts';
import {
  buildLimitClause,
  buildOverlapSelect,
  buildStaffCondition,
  type CalendarEventSource,
  type EventRow,
  eventColumns,
  eventJoins,
  getEventCustomer,
  getEventStaff,
  jobEventSource,
  placeholder,
  taskEventSource,
  timestamptzPlaceholder,
} from './calendar-event-source.sql.ts';

export interface EventFilter {
  readonly from: string;
  readonly to: string;
  /** Applies to jobs only; tasks of every status are included. */
  readonly status?: CalendarStatus | undefined;
  readonly staff_id?: string | undefined;
}

const preparedEventSelects = new Map<string, PreparedSelect<EventRow>>();

/** Returns the prepared statement for this combination of filters. Each of the four is prepared once and cached. */
function prepareEventSelect({ status, staff_id }: EventFilter): PreparedSelect<EventRow> {
  const name = ['calendar.events', ...(status ? ['status'] : []), ...(staff_id ? ['staff'] : [])].join('.');
  const cached = preparedEventSelects.get(name);
  if (cached) return cached;
  const filterByStaff = (source: CalendarEventSource) => (staff_id ? [buildStaffCondition(source)] : []);
  const statusConditions = status ? [sql`${jobs.status} = ${placeholder('status')}`] : [];
  const events = sql`${buildOverlapSelect(jobEventSource, [...filterByStaff(jobEventSource), ...statusConditions])}
    union all ${buildOverlapSelect(taskEventSource, filterByStaff(taskEventSource))} order by starts_at, id ${buildLimitClause(MAX_CALENDAR_EVENTS + 1)}`;
  const from = sql`from (${events}) as event ${eventJoins} order by event.starts_at, event.id`;
  const select = prepareSelectFrom<EventRow>(name, eventColumns, from);
  preparedEventSelects.set(name, select);
  return select;
}

/** Lists jobs and tasks in one statement, earliest start first. */
export async function listCalendarEvents(scope: TenantScope, filter: EventFilter) {
  const found = await scope.run(prepareEventSelect(filter), { company: scope.companyId, ...filter });
  const returned = found.slice(0, MAX_CALENDAR_EVENTS);
  return {
    jobs: returned.flatMap((event) => (event.kind === 'job' ? [rowToCalendarJob(event)] : [])),
    tasks: returned.flatMap((event) => (event.kind === 'task' ? [rowToCalendarTask(event)] : [])),
    is_cut: found.length > MAX_CALENDAR_EVENTS,
  };
}

function rowToCalendarJob(event: EventRow): CalendarJob {
  const { id, job_number, title, status, starts_at, duration, address, timer_status } = event;
  const job = { id, job_number: job_number ?? '', title, status: status as JobStatus, booking_date: starts_at, duration };
  return { ...job, address, customer: getEventCustomer(event), staff: getEventStaff(event), timer_status };
}

function rowToCalendarTask(event: EventRow): CalendarTask {
  const { id, title, color, status, starts_at, duration } = event;
  return {
    id,
    title,
    color: color ?? 'yellow',
    status: status as TaskStatus,
    calendar_date: starts_at,
    calendar_duration: duration,
    staff: getEventStaff(event),
  };
}

const NEWEST_FIRST = 'created_at desc';
const isUnscheduledJob = sql`${jobs.booking_date} is null and ${isActiveJob}`;

type UnscheduledJobRow = EventRow & Pick<UnscheduledJob, 'created_at'> & { readonly total: number; readonly sort_keys: string };

function prepareUnscheduledSelect(start: 'first' | 'later'): PreparedSelect<UnscheduledJobRow> {
  const companyCondition = sql`${jobs.company_id} = ${placeholder('company')}`;
  const cursorCondition =
    start === 'later' ? sql`(${jobs.created_at}, ${jobs.id}) < (${timestamptzPlaceholder('key')}, ${placeholder('id')}::uuid)` : undefined;
  const pageSelect = sql`select ${jobEventSource.columns}, ${jobs.created_at} as created_at from ${jobs}
    where ${and(companyCondition, isUnscheduledJob, cursorCondition)} order by ${jobs.created_at} desc, ${jobs.id} desc ${buildLimitClause(PAGE_SIZE + 1)}`;
  const fields = {
    ...eventColumns,
    created_at: sql`event.created_at`.mapWith(jobs.created_at),
    total: sql`(${countRows({ table: jobs }, and(companyCondition, isUnscheduledJob))})`,
    sort_keys: sql`json_build_array(event.created_at::text)::text`,
  };
  const name = `calendar.unscheduled.${start}`;
  return prepareSelectFrom(name, fields, sql`from (${pageSelect}) as event ${eventJoins} order by event.created_at desc, event.id desc`);
}

const UNSCHEDULED_JOBS = { first: prepareUnscheduledSelect('first'), later: prepareUnscheduledSelect('later') };

/** Lists one page of active jobs without a date, newest first, and counts all of them up to `MAX_COUNT`. */
export async function listUnscheduledJobs(scope: TenantScope, cursor: string | undefined) {
  const position = cursor === undefined ? undefined : decodeCursor(cursor, NEWEST_FIRST, [isInstantKey]);
  const values = { company: scope.companyId, key: position?.keys[0], id: position?.id };
  const found = await scope.run(UNSCHEDULED_JOBS[position ? 'later' : 'first'], values);
  const { rows, next_cursor } = buildPage(found, PAGE_SIZE, NEWEST_FIRST);
  return {
    rows: rows.map((row) => {
      const { booking_date: _, timer_status: __, ...job } = rowToCalendarJob(row);
      return { ...job, created_at: row.created_at };
    }),
    next_cursor,
    total: found[0]?.total ?? 0,
  };
}

const MAX_CLASHES = 20;

type ClashRow = Pick<EventRow, 'kind' | 'id' | 'job_number' | 'title' | 'starts_at' | 'duration'> & { readonly staff_name: string };

const buildClashSelect = (source: CalendarEventSource, excludedId: string) =>
  buildOverlapSelect(source, [
    buildStaffCondition(source),
    source.isBusy,
    sql`${source.table.id} is distinct from ${placeholder(excludedId)}`,
  ]);

const CLASHES = prepareSelectFrom<ClashRow>(
  'calendar.clashes',
  {
    kind: eventColumns.kind,
    id: eventColumns.id,
    job_number: eventColumns.job_number,
    title: eventColumns.title,
    starts_at: eventColumns.starts_at,
    duration: eventColumns.duration,
    staff_name: staff_members.name,
  },
  sql`from (${buildClashSelect(jobEventSource, 'except_job')} union all ${buildClashSelect(taskEventSource, 'except_task')}) as event
    join ${staff_members} on ${staff_members.company_id} = event.company_id and ${staff_members.id} = event.staff_id
    order by event.starts_at, event.id ${buildLimitClause(MAX_CLASHES)}`,
);

export interface BookingSlot {
  readonly staff_id: string;
  readonly starts_at: string;
  readonly duration: string | null;
  /** Id of the booking being checked, which must not clash with itself. */
  readonly except_id?: string | undefined;
  /** Tells whether `except_id` is a job or a task, because a job and a task may share an id. If omitted, both are excluded. */
  readonly except_kind?: Clash['kind'] | undefined;
}

/** Finds the staff member's other bookings that overlap `booking` by at least a minute, earliest first. */
export async function findClashes(scope: TenantScope, booking: BookingSlot): Promise<Clash[]> {
  const { staff_id, starts_at, duration, except_id = null, except_kind } = booking;
  const slot = { start: starts_at, end: calculateEventEnd(starts_at, duration) };
  const except = { except_job: except_kind === 'task' ? null : except_id, except_task: except_kind === 'job' ? null : except_id };
  const values = { company: scope.companyId, staff_id, from: slot.start, to: slot.end, ...except };
  const found = await scope.run(CLASHES, values);
  return found.flatMap(({ duration: hours, ...event }) => {
    const ends_at = calculateEventEnd(event.starts_at, hours);
    const overlap_minutes = calculateOverlapMinutes(slot, { start: event.starts_at, end: ends_at });
    return overlap_minutes > 0 ? [{ ...event, ends_at, overlap_minutes }] : [];
  });
}

/** Locks staff, so that the second of two concurrent bookings sees the first. Call before locking a job or task. Returns the ids found. */
export async function lockBookedStaff(scope: TenantScope, ids: readonly (string | null)[]): Promise<ReadonlySet<string>> {
  const staffIds = ids.filter((id) => id !== null);
  if (staffIds.length === 0) return new Set();
  const found = await scope.db
    .select({ id: staff_members.id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), inArray(staff_members.id, staffIds)))
    .orderBy(staff_members.id)
    .for('no key update');
  return new Set(found.map(({ id }) => id));
}
