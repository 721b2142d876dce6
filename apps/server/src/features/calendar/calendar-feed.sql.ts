import { eq, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { prepareSelectFrom } from '../../platform/db/prepared-select.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { jobs } from '../jobs/jobs.table.ts';
import {
  buildLimitClause,
  buildOverlapSelect,
  buildStaffCondition,
  type CalendarEventSource,
  type EventRow,
  eventColumns,
  eventJoins,
  jobEventSource,
  taskEventSource,
  timestamptzPlaceholder,
} from './calendar-event-source.sql.ts';

export interface FeedEvent extends EventRow {
  readonly description: string | null;
  readonly updated_at: string;
  readonly version: number;
}

/** Some calendar apps take minutes to load a larger feed. Upcoming events are included first, then the most recent past ones. */
const MAX_FEED_EVENTS = 2000;
/** In characters. Calendar apps show only a line or two anyway. */
const MAX_DESCRIPTION_LENGTH = 1000;

const buildFeedSelect = (source: CalendarEventSource, conditions: readonly SQL[]) =>
  buildOverlapSelect(
    source,
    [buildStaffCondition(source), ...conditions],
    sql`, left(${source.table.description}, ${sql.raw(String(MAX_DESCRIPTION_LENGTH))}) as description, ${source.table.updated_at} as updated_at,
      ${source.table.version} as version`,
  );

const feedEventsSubquery = sql`(select * from (
    ${buildFeedSelect(jobEventSource, [sql`${jobs.status} <> 'canceled'`])} union all ${buildFeedSelect(taskEventSource, [])}) as event
  order by event.starts_at < ${timestamptzPlaceholder('now')}, abs(extract(epoch from event.starts_at - ${timestamptzPlaceholder('now')})), event.id
  ${buildLimitClause(MAX_FEED_EVENTS)}) as event`;

const FEED_EVENTS = prepareSelectFrom<FeedEvent>(
  'calendar.feed',
  {
    ...eventColumns,
    description: sql`event.description`,
    updated_at: sql`event.updated_at`.mapWith(jobs.updated_at),
    version: sql`event.version`,
  },
  sql`from ${feedEventsSubquery} ${eventJoins} order by event.starts_at, event.id`,
);

const FEED_FINGERPRINT = prepareSelectFrom<{ hash: string | null }>(
  'calendar.feed-state',
  {
    hash: sql`md5(string_agg(concat_ws(' ', event.kind, event.id, event.version, event.updated_at, event.status, ${customers.version}), ','
      order by event.id, event.kind))`,
  },
  sql`from ${feedEventsSubquery} left join ${customers} on ${customers.company_id} = event.company_id and ${customers.id} = event.customer_id`,
);

/** The staff member and the period that a feed covers. */
export interface FeedRange {
  readonly staff_id: string;
  readonly from: string;
  readonly to: string;
}

/** Lists a staff member's jobs and tasks for external calendar apps, earliest first. */
export function listFeedEvents(scope: TenantScope, range: FeedRange): Promise<FeedEvent[]> {
  return scope.run(FEED_EVENTS, { company: scope.companyId, now: scope.now, ...range });
}

/** Returns a hash that changes whenever one of the feed's jobs, tasks or customers changes. */
export async function readFeedFingerprint(scope: TenantScope, range: FeedRange): Promise<string> {
  const [row] = await scope.run(FEED_FINGERPRINT, { company: scope.companyId, now: scope.now, ...range });
  return row?.hash ?? '';
}

/** Finds the names of the feed's staff member and company. Returns null if the staff member has left. */
export async function findFeedOwner(scope: TenantScope, staffId: string): Promise<{ name: string; company_name: string | null } | null> {
  const [owner] = await scope.db
    .select({ name: staff_members.name, company_name: companies.company_name })
    .from(staff_members)
    .innerJoin(companies, eq(companies.company_id, staff_members.company_id))
    .where(inCompany(scope, staff_members, staffId));
  return owner ?? null;
}
