import { eq, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { prepareFields } from '../../platform/db/prepared-select.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { jobs } from '../jobs/jobs.table.ts';
import {
  type EventRow,
  type EventSource,
  eventFields,
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

const FEED = prepareFields<FeedEvent>(
  'calendar.feed',
  {
    ...eventFields,
    description: sql`event.description`,
    updated_at: sql`event.updated_at`.mapWith(jobs.updated_at),
    version: sql`event.version`,
  },
  sql`from (${selectForFeed(jobEvents, [sql`${jobs.status} <> 'canceled'`])} union all ${selectForFeed(taskEvents, [])}
      order by starts_at, id ${limit(MAX_FEED_EVENTS)}) as event order by event.starts_at, event.id`,
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
