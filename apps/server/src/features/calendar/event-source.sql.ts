import type { CalendarJob } from '@callout/contract/calendar';
import { DEFAULT_EVENT_HOURS } from '@callout/domain/calendar/calendar-event';
import { ACTIVE_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import type { TaskColor, TaskStatus } from '@callout/domain/tasks/task';
import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { customers } from '../customers/customers.table.ts';
import { jobs, time_entries } from '../jobs/jobs.table.ts';
import { tasks } from '../tasks/tasks.table.ts';

/** A job or task as the calendar reads it. */
export interface EventRow {
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
export const eventFields = {
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

export const placeholder = (name: string) => sql`${sql.placeholder(name)}`;
export const instantOf = (name: string) => sql`${sql.placeholder(name)}::timestamptz`;
export const limit = (rows: number) => sql.raw(`limit ${rows}`);

/** A table of which some rows are events. */
export interface EventSource {
  readonly table: typeof jobs | typeof tasks;
  readonly start: PgColumn;
  readonly hours: PgColumn;
  readonly columns: SQL;
  readonly isShown: SQL;
  readonly takesTime: SQL;
}

/** Written out: only then PostgreSQL sees that the index of unscheduled jobs has them. */
export const isActiveJob = sql`${jobs.status} in ${sql.raw(`(${ACTIVE_STATUSES.map((status) => `'${status}'`).join(', ')})`)}`;

export const jobEvents: EventSource = {
  table: jobs,
  start: jobs.booking_date,
  hours: jobs.duration,
  columns: sql`'job' as kind, ${jobs.id} as id, ${jobs.job_number} as job_number, ${jobs.title} as title, ${jobs.status} as status,
    null::text as color, ${jobs.booking_date} as starts_at, ${jobs.duration} as duration, ${jobs.address} as address,
    ${jobs.company_id} as company_id, ${jobs.customer_id} as customer_id, ${jobs.staff_id} as staff_id`,
  isShown: sql`${jobs.booking_date} is not null`,
  takesTime: isActiveJob,
};

export const taskEvents: EventSource = {
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
export function selectOverlapping(source: EventSource, conditions: readonly SQL[], more: SQL = sql``): SQL {
  const { table, start, hours, columns, isShown } = source;
  const [from, to] = [instantOf('from'), instantOf('to')];
  const end = sql`${start} + coalesce(${hours}, ${sql.raw(DEFAULT_EVENT_HOURS)})::float8 * interval '1 hour'`;
  const select = (starts: SQL) => sql`select ${columns}${more} from ${table}
    where ${and(sql`${table.company_id} = ${placeholder('company')}`, isShown, starts, sql`${end} > ${from}`, ...conditions)}`;
  return sql`${select(sql`${start} >= ${from} - ${DAY} and ${start} < ${to}`)}
    union all ${select(sql`${start} >= ${from} - ${LONGEST} and ${start} < ${from} - ${DAY} and ${hours} > 24`)}`;
}

export const isOfStaff = ({ table }: EventSource) => sql`${table.staff_id} = ${placeholder('staff_id')}`;
const isCustomer = sql`${customers.company_id} = event.company_id and ${customers.id} = event.customer_id`;

/** Adds what other tables know about these events. */
export const describeEvents = (
  events: SQL,
  more: SQL = sql``,
) => sql`select event.kind, event.id, event.job_number, event.title, event.status,
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
