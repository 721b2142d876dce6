import type { CalendarJob } from '@callout/contract/calendar';
import { DEFAULT_EVENT_HOURS } from '@callout/domain/calendar/calendar-event';
import type { JobStatus } from '@callout/domain/jobs/job';
import type { TaskColor, TaskStatus } from '@callout/domain/tasks/task';
import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { customers } from '../customers/customers.table.ts';
import { isActiveJob, timerStatusAggregate } from '../jobs/jobs.sql.ts';
import { jobs, time_entries } from '../jobs/jobs.table.ts';
import { tasks } from '../tasks/tasks.table.ts';

/** A job or task in the calendar, with its customer and assigned person. */
export interface EventRow {
  readonly kind: 'job' | 'task';
  readonly id: string;
  /** Null if the event is a task. */
  readonly job_number: string | null;
  readonly title: string;
  readonly status: JobStatus | TaskStatus;
  /** Null if the event is a job. */
  readonly color: TaskColor | null;
  readonly starts_at: string;
  readonly duration: string | null;
  readonly address: string | null;
  /** If `customer_id` is null, so are the other customer fields. The same applies to `staff_id` and the staff fields. */
  readonly customer_id: string | null;
  readonly customer_name: string;
  readonly customer_company: string | null;
  readonly customer_phone: string;
  readonly staff_id: string | null;
  readonly staff_name: string;
  readonly staff_color: string | null;
  readonly timer_status: CalendarJob['timer_status'];
}

export function getEventCustomer({ customer_id, customer_name, customer_company, customer_phone }: EventRow): CalendarJob['customer'] {
  if (customer_id === null) return null;
  return { id: customer_id, name: customer_name, company_name: customer_company, phone: customer_phone };
}

export function getEventStaff({ staff_id, staff_name, staff_color }: EventRow): CalendarJob['staff'] {
  return staff_id === null ? null : { id: staff_id, name: staff_name, hex_code: staff_color };
}

export const placeholder = (name: string) => sql`${sql.placeholder(name)}`;
export const timestamptzPlaceholder = (name: string) => sql`${sql.placeholder(name)}::timestamptz`;
export const buildLimitClause = (rows: number) => sql.raw(`limit ${rows}`);

/** A table whose rows can be calendar events: jobs or tasks. */
export interface CalendarEventSource {
  readonly table: typeof jobs | typeof tasks;
  readonly start: PgColumn;
  readonly hours: PgColumn;
  readonly columns: SQL;
  readonly isInCalendar: SQL;
  readonly isBusy: SQL;
}

export const jobEventSource: CalendarEventSource = {
  table: jobs,
  start: jobs.booking_date,
  hours: jobs.duration,
  columns: sql`'job' as kind, ${jobs.id} as id, ${jobs.job_number} as job_number, ${jobs.title} as title, ${jobs.status} as status,
    null::text as color, ${jobs.booking_date} as starts_at, ${jobs.duration} as duration, ${jobs.address} as address,
    ${jobs.company_id} as company_id, ${jobs.customer_id} as customer_id, ${jobs.staff_id} as staff_id`,
  isInCalendar: sql`${jobs.booking_date} is not null`,
  isBusy: isActiveJob,
};

export const taskEventSource: CalendarEventSource = {
  table: tasks,
  start: tasks.calendar_date,
  hours: tasks.calendar_duration,
  columns: sql`'task' as kind, ${tasks.id} as id, null::text as job_number, ${tasks.title} as title, ${tasks.status} as status,
    ${tasks.color} as color, ${tasks.calendar_date} as starts_at, ${tasks.calendar_duration} as duration, null::text as address,
    ${tasks.company_id} as company_id, null::uuid as customer_id, ${tasks.staff_id} as staff_id`,
  isInCalendar: sql`${tasks.show_in_calendar}`,
  isBusy: sql`${tasks.status} = 'active'`,
};

/** The longest duration that can be stored, which limits how far back a search must go. */
const MAX_DURATION = sql`interval '10000 hours'`;
const ONE_DAY = sql`interval '24 hours'`;

/** Selects events in the range. Those that start over a day earlier come from an index of long events, so years of rows aren't scanned. */
export function buildOverlapSelect(source: CalendarEventSource, conditions: readonly SQL[], extraColumns: SQL = sql``): SQL {
  const { table, start, hours, columns, isInCalendar } = source;
  const [from, to] = [timestamptzPlaceholder('from'), timestamptzPlaceholder('to')];
  const end = sql`${start} + coalesce(${hours}, ${sql.raw(DEFAULT_EVENT_HOURS)})::float8 * interval '1 hour'`;
  const select = (startCondition: SQL) => sql`select ${columns}${extraColumns} from ${table}
    where ${and(sql`${table.company_id} = ${placeholder('company')}`, isInCalendar, startCondition, sql`${end} > ${from}`, ...conditions)}`;
  return sql`${select(sql`${start} >= ${from} - ${ONE_DAY} and ${start} < ${to}`)}
    union all ${select(sql`${start} >= ${from} - ${MAX_DURATION} and ${start} < ${from} - ${ONE_DAY} and ${hours} > 24`)}`;
}

export const buildStaffCondition = ({ table }: CalendarEventSource) => sql`${table.staff_id} = ${placeholder('staff_id')}`;

/** Columns of `event` and of the tables in `eventJoins`, which the query must join. */
export const eventColumns = {
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
  timer_status: sql`case when event.kind = 'job' then (select ${timerStatusAggregate} from ${time_entries}
    where ${time_entries.company_id} = event.company_id and ${time_entries.job_id} = event.id) end`,
} satisfies Record<keyof EventRow, SQL | PgColumn>;

/** Plain joins, because a JSON subquery for each event took most of the query's time for a full calendar. */
export const eventJoins = sql`
  left join ${customers} on ${customers.company_id} = event.company_id and ${customers.id} = event.customer_id
  left join ${staff_members} on ${staff_members.company_id} = event.company_id and ${staff_members.id} = event.staff_id
  left join ${staff_colors} on ${staff_colors.id} = ${staff_members.color_id}`;
