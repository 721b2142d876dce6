import { type CalendarJob, type CalendarTask, type Clash, MAX_CALENDAR_EVENTS, type UnscheduledJob } from '@callout/contract/calendar';
import { PAGE_SIZE } from '@callout/contract/lists';
import { type CalendarStatus, DEFAULT_EVENT_HOURS, eventEnd, overlapMinutes } from '@callout/domain/calendar/calendar-event';
import { ACTIVE_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import type { TaskColor, TaskStatus } from '@callout/domain/tasks/task';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { isInstantKey, pageOf, readCursor } from '../../platform/db/cursor.ts';
import { type PreparedSelect, prepareStatement } from '../../platform/db/prepared-select.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { goneReference } from '../jobs/jobs.sql.ts';
import { jobs, time_entries } from '../jobs/jobs.table.ts';
import { tasks } from '../tasks/tasks.table.ts';

/** A job or task as the calendar reads it. */
interface EventRow {
  readonly kind: 'job' | 'task';
  readonly id: string;
  /** Of a job. */
  readonly job_number: string | null;
  readonly title: string;
  readonly status: JobStatus | TaskStatus;
  /** Of a task. */
  readonly color: TaskColor | null;
  readonly starts_at: string;
  readonly duration: string | null;
  readonly address: string | null;
  readonly customer: CalendarJob['customer'];
  readonly staff: CalendarJob['staff'];
  readonly timer_status: CalendarJob['timer_status'];
}

/** How to read the columns of an `EventRow`, in the order in which `describeEvents` selects them. */
const eventFields = {
  kind: sql`kind`,
  id: sql`id`,
  job_number: sql`job_number`,
  title: sql`title`,
  status: sql`status`,
  color: sql`color`,
  starts_at: jobs.booking_date,
  duration: jobs.duration,
  address: sql`address`,
  customer: sql`customer`,
  staff: sql`staff`,
  timer_status: sql`timer_status`,
};

const placeholder = (name: string) => sql`${sql.placeholder(name)}`;
const instantOf = (name: string) => sql`${sql.placeholder(name)}::timestamptz`;
const limit = (rows: number) => sql.raw(`limit ${rows}`);

/** A table of which some rows are events. */
interface EventSource {
  readonly table: typeof jobs | typeof tasks;
  readonly start: PgColumn;
  readonly hours: PgColumn;
  readonly columns: SQL;
  readonly isShown: SQL;
  readonly takesTime: SQL;
}

/** Written out: only then PostgreSQL sees that the index of unscheduled jobs has them. */
const isActiveJob = sql`${jobs.status} in ${sql.raw(`(${ACTIVE_STATUSES.map((status) => `'${status}'`).join(', ')})`)}`;

const jobEvents: EventSource = {
  table: jobs,
  start: jobs.booking_date,
  hours: jobs.duration,
  columns: sql`'job' as kind, ${jobs.id} as id, ${jobs.job_number} as job_number, ${jobs.title} as title, ${jobs.status} as status,
    null::text as color, ${jobs.booking_date} as starts_at, ${jobs.duration} as duration, ${jobs.address} as address,
    ${jobs.company_id} as company_id, ${jobs.customer_id} as customer_id, ${jobs.staff_id} as staff_id`,
  isShown: sql`${jobs.booking_date} is not null`,
  takesTime: isActiveJob,
};

const taskEvents: EventSource = {
  table: tasks,
  start: tasks.calendar_date,
  hours: tasks.calendar_duration,
  columns: sql`'task' as kind, ${tasks.id} as id, null::text as job_number, ${tasks.title} as title, ${tasks.status} as status,
    ${tasks.color} as color, ${tasks.calendar_date} as starts_at, ${tasks.calendar_duration} as duration, null::text as address,
    ${tasks.company_id} as company_id, null::uuid as customer_id, ${tasks.staff_id} as staff_id`,
  isShown: sql`${tasks.show_in_calendar}`,
  takesTime: sql`${tasks.status} = 'active'`,
};

/** No stored duration is longer. */
const LONGEST = sql`interval '10000 hours'`;
const DAY = sql`interval '24 hours'`;

/**
 * The events of a table that take place between `from` and `to`. Those that start more than a day before it come from an index of the long
 * ones: looking for them among all others would read years for a week.
 */
function selectOverlapping(source: EventSource, conditions: readonly SQL[], more: SQL = sql``): SQL {
  const { table, start, hours, columns, isShown } = source;
  const [from, to] = [instantOf('from'), instantOf('to')];
  const end = sql`${start} + coalesce(${hours}, ${sql.raw(DEFAULT_EVENT_HOURS)})::float8 * interval '1 hour'`;
  const select = (starts: SQL) => sql`select ${columns}${more} from ${table}
    where ${and(sql`${table.company_id} = ${placeholder('company')}`, isShown, starts, sql`${end} > ${from}`, ...conditions)}`;
  return sql`${select(sql`${start} >= ${from} - ${DAY} and ${start} < ${to}`)}
    union all ${select(sql`${start} >= ${from} - ${LONGEST} and ${start} < ${from} - ${DAY} and ${hours} > 24`)}`;
}

const isOfStaff = ({ table }: EventSource) => sql`${table.staff_id} = ${placeholder('staff_id')}`;
const isCustomer = sql`${customers.company_id} = event.company_id and ${customers.id} = event.customer_id`;

/** Adds what other tables know about these events. */
const describeEvents = (events: SQL, more: SQL = sql``) => sql`select event.kind, event.id, event.job_number, event.title, event.status,
  event.color, event.starts_at, event.duration,
  coalesce(event.address, (select ${customers.address} from ${customers} where ${isCustomer})),
  (select json_build_object('id', ${customers.id}, 'name', ${customers.name}, 'company_name', ${customers.company_name},
    'phone', ${customers.phone}) from ${customers} where ${isCustomer}),
  (select json_build_object('id', ${staff_members.id}, 'name', ${staff_members.name}, 'hex_code', ${staff_colors.hex_code})
    from ${staff_members} left join ${staff_colors} on ${staff_colors.id} = ${staff_members.color_id}
    where ${staff_members.company_id} = event.company_id and ${staff_members.id} = event.staff_id),
  case when event.kind = 'job' then (select case when bool_or(${time_entries.ended_at} is null) then 'started' when count(*) > 0 then 'paused' end
    from ${time_entries} where ${time_entries.company_id} = event.company_id and ${time_entries.job_id} = event.id) end
  ${more} from (${events}) as event`;

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
  const select = prepareStatement<EventRow>(name, eventFields, sql`${describeEvents(events)} order by event.starts_at, event.id`);
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
  const more = sql`, event.created_at, (select count(*)::int from ${jobs} where ${and(isOfCompany, isUnscheduled)}),
    json_build_array(event.created_at::text)::text`;
  return prepareStatement(
    `calendar.unscheduled.${start}`,
    { ...eventFields, created_at: jobs.created_at, total: sql`total`, sort_keys: sql`sort_keys` },
    sql`${describeEvents(page, more)} order by event.created_at desc, event.id desc`,
  );
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

const CLASHES = prepareStatement<ClashRow>(
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
  sql`select event.kind, event.id, event.job_number, event.title, event.starts_at, event.duration, ${staff_members.name}
    from (${selectClashing(jobEvents)} union all ${selectClashing(taskEvents)}) as event
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

/** What else takes the time of a person, the earliest first. */
export async function findClashes(scope: TenantScope, { staff_id, starts_at, duration, except_id }: TakenTime): Promise<Clash[]> {
  const taken = { start: starts_at, end: eventEnd(starts_at, duration) };
  const values = { company: scope.companyId, staff_id, from: taken.start, to: taken.end, except_id: except_id ?? null };
  const found = await scope.run(CLASHES, values);
  return found.map(({ duration: hours, ...event }) => {
    const ends_at = eventEnd(event.starts_at, hours);
    return { ...event, ends_at, overlap_minutes: overlapMinutes(taken, { start: event.starts_at, end: ends_at }) };
  });
}

/**
 * Refuses people who are not there. Of two commands that book the same person at once, the second waits here, and sees what the first has
 * booked. Taken before the job or task.
 */
export async function lockBookedStaff(scope: TenantScope, ids: readonly (string | null | undefined)[]): Promise<void> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  if (wanted.length === 0) return;
  const found = await scope.db
    .select({ id: staff_members.id })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), inArray(staff_members.id, wanted)))
    .orderBy(staff_members.id)
    .for('no key update');
  if (found.length < wanted.length) throw goneReference('staff_id', 'staff member');
}

export interface FeedEvent extends EventRow {
  readonly description: string | null;
  readonly updated_at: string;
  readonly version: number;
}

/** Far more than one person does in the year that a feed covers. */
const MAX_FEED_EVENTS = 5000;
/** Of a description: a calendar shows a line or two of it. */
const DESCRIPTION_LENGTH = 1000;

const selectForFeed = (source: EventSource, conditions: readonly SQL[]) =>
  selectOverlapping(
    source,
    [isOfStaff(source), ...conditions],
    sql`, left(${source.table.description}, ${sql.raw(String(DESCRIPTION_LENGTH))}) as description, ${source.table.updated_at} as updated_at,
      ${source.table.version} as version`,
  );

const FEED = prepareStatement<FeedEvent>(
  'calendar.feed',
  { ...eventFields, description: sql`description`, updated_at: jobs.updated_at, version: jobs.version },
  sql`${describeEvents(
    sql`${selectForFeed(jobEvents, [sql`${jobs.status} <> 'canceled'`])} union all ${selectForFeed(taskEvents, [])}
      order by starts_at, id ${limit(MAX_FEED_EVENTS)}`,
    sql`, event.description, event.updated_at, event.version`,
  )} order by event.starts_at, event.id`,
);

/** The jobs and tasks of a person for other calendars, canceled jobs left out. */
export function listFeedEvents(scope: TenantScope, staffId: string, { from, to }: { from: string; to: string }): Promise<FeedEvent[]> {
  return scope.run(FEED, { company: scope.companyId, staff_id: staffId, from, to });
}

/** Whose feed it is; null once they are no longer of the company. */
export async function findFeedOwner(scope: TenantScope, staffId: string): Promise<{ name: string; company_name: string | null } | null> {
  const [owner] = await scope.db
    .select({ name: staff_members.name, company_name: companies.company_name })
    .from(staff_members)
    .innerJoin(companies, eq(companies.company_id, staff_members.company_id))
    .where(inCompany(scope, staff_members, staffId));
  return owner ?? null;
}
