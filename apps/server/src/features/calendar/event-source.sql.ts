import type { CalendarJob } from '@callout/contract/calendar';
import { DEFAULT_EVENT_HOURS } from '@callout/domain/calendar/calendar-event';
import type { JobStatus } from '@callout/domain/jobs/job';
import type { TaskColor, TaskStatus } from '@callout/domain/tasks/task';
import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { customers } from '../customers/customers.table.ts';
import { isActiveJob, timerStatus } from '../jobs/jobs.sql.ts';
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
  /** These two are there together with their other fields, or not at all. */
  readonly customer_id: string | null;
  readonly customer_name: string;
  readonly customer_company: string | null;
  readonly customer_phone: string;
  readonly staff_id: string | null;
  readonly staff_name: string;
  readonly staff_color: string | null;
  readonly timer_status: CalendarJob['timer_status'];
}

export function customerOf({ customer_id, customer_name, customer_company, customer_phone }: EventRow): CalendarJob['customer'] {
  if (customer_id === null) return null;
  return { id: customer_id, name: customer_name, company_name: customer_company, phone: customer_phone };
}

export function staffOf({ staff_id, staff_name, staff_color }: EventRow): CalendarJob['staff'] {
  return staff_id === null ? null : { id: staff_id, name: staff_name, hex_code: staff_color };
}

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

/** Of an `event` beside its `eventPeople`, with what other tables know about it. */
export const eventFields = {
  kind: sql`event.kind`,
  id: sql`event.id`,
  job_number: sql`event.job_number`,
  title: sql`event.title`,
  status: sql`event.status`,
  color: sql`event.color`,
  starts_at: sql`event.starts_at`.mapWith(jobs.booking_date),
  duration: sql`event.duration`.mapWith(jobs.duration),
  address: sql`coalesce(event.address, ${customers.address})`,
  customer_id: customers.id,
  customer_name: customers.name,
  customer_company: customers.company_name,
  customer_phone: customers.phone,
  staff_id: staff_members.id,
  staff_name: staff_members.name,
  staff_color: staff_colors.hex_code,
  timer_status: sql`case when event.kind = 'job' then (select ${timerStatus} from ${time_entries}
    where ${time_entries.company_id} = event.company_id and ${time_entries.job_id} = event.id) end`,
} satisfies Record<keyof EventRow, SQL | PgColumn>;

/** Joined as columns: looked up for each event, and put together as JSON, they took most of the time of a full range. */
export const eventPeople = sql`
  left join ${customers} on ${customers.company_id} = event.company_id and ${customers.id} = event.customer_id
  left join ${staff_members} on ${staff_members.company_id} = event.company_id and ${staff_members.id} = event.staff_id
  left join ${staff_colors} on ${staff_colors.id} = ${staff_members.color_id}`;
