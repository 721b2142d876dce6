import { type CalendarJob, type CalendarTask, MAX_CALENDAR_EVENTS, type UnscheduledJob } from '@callout/contract/calendar';
import type { Clash } from '@callout/contract/clash';
import { PAGE_SIZE } from '@callout/contract/lists';
import { type CalendarStatus, eventEnd, overlapMinutes } from '@callout/domain/calendar/calendar-event';
import type { JobStatus } from '@callout/domain/jobs/job';
import type { TaskStatus } from '@callout/domain/tasks/task';
import { and, inArray, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { isInstantKey, pageOf, readCursor } from '../../platform/db/cursor.ts';
import { type PreparedSelect, prepareFields } from '../../platform/db/prepared-select.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { isActiveJob } from '../jobs/jobs.sql.ts';
import { jobs } from '../jobs/jobs.table.ts';
import {
  type EventRow,
  type EventSource,
  eventFields,
  instantOf,
  isOfStaff,
  jobEvents,
  limit,
  placeholder,
  selectOverlapping,
  taskEvents,
} from './event-source.sql.ts';

export interface EventFilter {
  readonly from: string;
  readonly to: string;
  /** Of jobs; tasks of every status are there. */
  readonly status?: CalendarStatus | undefined;
  readonly staff_id?: string | undefined;
}

const eventSelects = new Map<string, PreparedSelect<EventRow>>();

/** A statement for each of the four ways to filter. */
function eventsSelect({ status, staff_id }: EventFilter): PreparedSelect<EventRow> {
  const name = ['calendar.events', ...(status ? ['status'] : []), ...(staff_id ? ['staff'] : [])].join('.');
  const known = eventSelects.get(name);
  if (known) return known;
  const ofStaff = (source: EventSource) => (staff_id ? [isOfStaff(source)] : []);
  const ofStatus = status ? [sql`${jobs.status} = ${placeholder('status')}`] : [];
  const events = sql`${selectOverlapping(jobEvents, [...ofStaff(jobEvents), ...ofStatus])}
    union all ${selectOverlapping(taskEvents, ofStaff(taskEvents))} order by starts_at, id ${limit(MAX_CALENDAR_EVENTS + 1)}`;
  const select = prepareFields<EventRow>(name, eventFields, sql`from (${events}) as event order by event.starts_at, event.id`);
  eventSelects.set(name, select);
  return select;
}

/** Jobs and tasks in one statement, the earliest first. */
export async function listEvents(scope: TenantScope, filter: EventFilter) {
  const found = await scope.run(eventsSelect(filter), { company: scope.companyId, ...filter });
  const shown = found.slice(0, MAX_CALENDAR_EVENTS);
  return {
    jobs: shown.flatMap((event) => (event.kind === 'job' ? [asJob(event)] : [])),
    tasks: shown.flatMap((event) => (event.kind === 'task' ? [asTask(event)] : [])),
    is_cut: found.length > MAX_CALENDAR_EVENTS,
  };
}

function asJob({ id, job_number, title, status, starts_at, duration, address, customer, staff, timer_status }: EventRow): CalendarJob {
  const job = { id, job_number: job_number ?? '', title, status: status as JobStatus, booking_date: starts_at, duration };
  return { ...job, address, customer, staff, timer_status };
}

function asTask({ id, title, color, status, starts_at, duration, staff }: EventRow): CalendarTask {
  return {
    id,
    title,
    color: color ?? 'yellow',
    status: status as TaskStatus,
    calendar_date: starts_at,
    calendar_duration: duration,
    staff,
  };
}

const NEWEST_FIRST = 'created_at desc';
const isUnscheduled = sql`${jobs.booking_date} is null and ${isActiveJob}`;

type UnscheduledRow = EventRow & Pick<UnscheduledJob, 'created_at'> & { readonly total: number; readonly sort_keys: string };

function unscheduledSelect(start: 'first' | 'later'): PreparedSelect<UnscheduledRow> {
  const isOfCompany = sql`${jobs.company_id} = ${placeholder('company')}`;
  const isAfter = start === 'later' ? sql`(${jobs.created_at}, ${jobs.id}) < (${instantOf('key')}, ${placeholder('id')}::uuid)` : undefined;
  const page = sql`select ${jobEvents.columns}, ${jobs.created_at} as created_at from ${jobs}
    where ${and(isOfCompany, isUnscheduled, isAfter)} order by ${jobs.created_at} desc, ${jobs.id} desc ${limit(PAGE_SIZE + 1)}`;
  const fields = {
    ...eventFields,
    created_at: sql`event.created_at`.mapWith(jobs.created_at),
    total: sql`(select count(*)::int from ${jobs} where ${and(isOfCompany, isUnscheduled)})`,
    sort_keys: sql`json_build_array(event.created_at::text)::text`,
  };
  const name = `calendar.unscheduled.${start}`;
  return prepareFields(name, fields, sql`from (${page}) as event order by event.created_at desc, event.id desc`);
}

const UNSCHEDULED = { first: unscheduledSelect('first'), later: unscheduledSelect('later') };

/** A page of the jobs to do that have no date, the newest first, and how many there are. */
export async function listUnscheduled(scope: TenantScope, cursor: string | undefined) {
  const position = cursor === undefined ? undefined : readCursor(cursor, NEWEST_FIRST, [isInstantKey]);
  const values = { company: scope.companyId, key: position?.keys[0], id: position?.id };
  const found = await scope.run(UNSCHEDULED[position ? 'later' : 'first'], values);
  const { rows, next_cursor } = pageOf(found, PAGE_SIZE, NEWEST_FIRST);
  return {
    rows: rows.map((row) => {
      const { booking_date: _, timer_status: __, ...job } = asJob(row);
      return { ...job, created_at: row.created_at };
    }),
    next_cursor,
    total: found[0]?.total ?? 0,
  };
}

/** More are not told. */
const MAX_CLASHES = 20;

type ClashRow = Pick<EventRow, 'kind' | 'id' | 'job_number' | 'title' | 'starts_at' | 'duration'> & { readonly staff_name: string };

const selectClashing = (source: EventSource) =>
  selectOverlapping(source, [isOfStaff(source), source.takesTime, sql`${source.table.id} is distinct from ${placeholder('except_id')}`]);

const CLASHES = prepareFields<ClashRow>(
  'calendar.clashes',
  {
    kind: eventFields.kind,
    id: eventFields.id,
    job_number: eventFields.job_number,
    title: eventFields.title,
    starts_at: eventFields.starts_at,
    duration: eventFields.duration,
    staff_name: staff_members.name,
  },
  sql`from (${selectClashing(jobEvents)} union all ${selectClashing(taskEvents)}) as event
    join ${staff_members} on ${staff_members.company_id} = event.company_id and ${staff_members.id} = event.staff_id
    order by event.starts_at, event.id ${limit(MAX_CLASHES)}`,
);

export interface TakenTime {
  readonly staff_id: string;
  readonly starts_at: string;
  readonly duration: string | null;
  /** What is booked itself, which does not clash with its own time. */
  readonly except_id?: string | undefined;
}

/** What else takes the time of a person for a minute or more, the earliest first. */
export async function findClashes(scope: TenantScope, { staff_id, starts_at, duration, except_id }: TakenTime): Promise<Clash[]> {
  const taken = { start: starts_at, end: eventEnd(starts_at, duration) };
  const values = { company: scope.companyId, staff_id, from: taken.start, to: taken.end, except_id: except_id ?? null };
  const found = await scope.run(CLASHES, values);
  return found.flatMap(({ duration: hours, ...event }) => {
    const ends_at = eventEnd(event.starts_at, hours);
    const overlap_minutes = overlapMinutes(taken, { start: event.starts_at, end: ends_at });
    return overlap_minutes > 0 ? [{ ...event, ends_at, overlap_minutes }] : [];
  });
}

/**
 * Which of these people are there. Of two commands that book the same person at once, the second waits here, and sees what the first has
 * booked. Taken before the job or task.
 */
export async function lockBookedStaff(scope: TenantScope, ids: readonly (string | null)[]): Promise<ReadonlySet<string>> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return new Set();
  const found = await scope.db
    .select({ id: staff_members.id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), inArray(staff_members.id, wanted)))
    .orderBy(staff_members.id)
    .for('no key update');
  return new Set(found.map(({ id }) => id));
}
