import { eq, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { prepareFields } from '../../platform/db/prepared-select.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { jobs } from '../jobs/jobs.table.ts';
import {
  type EventRow,
  type EventSource,
  eventFields,
  eventPeople,
  instantOf,
  isOfStaff,
  jobEvents,
  limit,
  selectOverlapping,
  taskEvents,
} from './event-source.sql.ts';

export interface FeedEvent extends EventRow {
  readonly description: string | null;
  readonly updated_at: string;
  readonly version: number;
}

/** Of a feed: what is to come goes first, then what was last. Other programs take minutes for more. */
const MAX_FEED_EVENTS = 2000;
/** Of a description: a calendar shows a line or two of it. */
const DESCRIPTION_LENGTH = 1000;

const selectForFeed = (source: EventSource, conditions: readonly SQL[]) =>
  selectOverlapping(
    source,
    [isOfStaff(source), ...conditions],
    sql`, left(${source.table.description}, ${sql.raw(String(DESCRIPTION_LENGTH))}) as description, ${source.table.updated_at} as updated_at,
      ${source.table.version} as version`,
  );

/** Canceled jobs are left out. */
const feedEvents = sql`(select * from (
    ${selectForFeed(jobEvents, [sql`${jobs.status} <> 'canceled'`])} union all ${selectForFeed(taskEvents, [])}) as event
  order by event.starts_at < ${instantOf('now')}, abs(extract(epoch from event.starts_at - ${instantOf('now')})), event.id
  ${limit(MAX_FEED_EVENTS)}) as event`;

const FEED = prepareFields<FeedEvent>(
  'calendar.feed',
  {
    ...eventFields,
    description: sql`event.description`,
    updated_at: sql`event.updated_at`.mapWith(jobs.updated_at),
    version: sql`event.version`,
  },
  sql`from ${feedEvents} ${eventPeople} order by event.starts_at, event.id`,
);

const FEED_STATE = prepareFields<{ events: string | null }>(
  'calendar.feed-state',
  {
    events: sql`md5(string_agg(concat_ws(' ', event.kind, event.id, event.version, event.updated_at, event.status, ${customers.version}), ','
      order by event.id, event.kind))`,
  },
  sql`from ${feedEvents} left join ${customers} on ${customers.company_id} = event.company_id and ${customers.id} = event.customer_id`,
);

/** Of a person, between two instants. */
export interface FeedRange {
  readonly staff_id: string;
  readonly from: string;
  readonly to: string;
}

/** The jobs and tasks of a person for other calendars, the earliest first. */
export function listFeedEvents(scope: TenantScope, range: FeedRange): Promise<FeedEvent[]> {
  return scope.run(FEED, { company: scope.companyId, now: scope.now, ...range });
}

/** Text that is another one once any of these jobs and tasks, or a customer of theirs, was changed. */
export async function readFeedState(scope: TenantScope, range: FeedRange): Promise<string> {
  const [state] = await scope.run(FEED_STATE, { company: scope.companyId, now: scope.now, ...range });
  return state?.events ?? '';
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
