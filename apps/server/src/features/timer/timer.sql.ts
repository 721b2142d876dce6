import { randomUUID } from 'node:crypto';
import { type ActiveTimer, entryNotFound, type SheetEntry, TimeEntry } from '@callout/contract/timer';
import { ACTIVE_STATUSES } from '@callout/domain/jobs/job';
import { effectiveHourlyRate } from '@callout/domain/timer/timer';
import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { columnsOf, defineRecord, inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { unauthenticated } from '../../platform/errors/failures.ts';
import { companies } from '../company/company.table.ts';
import { nameOf } from '../history/history.sql.ts';
import { endedNow } from '../jobs/jobs.sql.ts';
import { jobs, time_entries } from '../jobs/jobs.table.ts';

export const entryRecord = defineRecord(time_entries, columnsOf(time_entries, TimeEntry), { notFound: entryNotFound });

const isRunningOf = (scope: TenantScope, staffId: string) =>
  and(inCompany(scope, time_entries), eq(time_entries.staff_id, staffId), isNull(time_entries.ended_at));

const ended = (scope: Pick<TenantScope, 'now'>) => ({ ended_at: endedNow(scope), version: sql`${time_entries.version} + 1` });

export interface TimedJob {
  readonly id: string;
  readonly job_number: string;
  readonly title: string;
}

/** The job on which the person's timer runs now. */
export async function findRunningJob(scope: TenantScope, staffId: string): Promise<TimedJob | null> {
  const [running] = await scope.db
    .select({ id: jobs.id, job_number: jobs.job_number, title: jobs.title })
    .from(time_entries)
    .innerJoin(jobs, and(eq(jobs.company_id, time_entries.company_id), eq(jobs.id, time_entries.job_id)))
    .where(isRunningOf(scope, staffId));
  return running ?? null;
}

/** Ends the person's timer on every other job, and returns those jobs. */
export async function pauseOtherJobs(scope: TenantScope, staffId: string, jobId: string): Promise<string[]> {
  const paused = await scope.db
    .update(time_entries)
    .set(ended(scope))
    .where(and(isRunningOf(scope, staffId), ne(time_entries.job_id, jobId)))
    .returning({ job_id: time_entries.job_id });
  return paused.flatMap(({ job_id }) => job_id ?? []);
}

/** The entry of the person that runs on a job. */
export async function findRunningEntry(
  scope: TenantScope,
  staffId: string,
  jobId: string,
): Promise<Pick<TimeEntry, 'id' | 'started_at'> | null> {
  const [running] = await scope.db
    .select({ id: time_entries.id, started_at: time_entries.started_at })
    .from(time_entries)
    .where(and(isRunningOf(scope, staffId), eq(time_entries.job_id, jobId)));
  return running ?? null;
}

export async function endEntry(scope: TenantScope, id: string, at: string): Promise<void> {
  await scope.db
    .update(time_entries)
    .set(ended({ now: at }))
    .where(inCompany(scope, time_entries, id));
}

/** One person's timer is changed by one request at a time. Taken before the locks of jobs. */
export async function lockPerson(scope: TenantScope, staffId: string): Promise<void> {
  const found = await scope.db
    .select({ id: staff_members.id })
    .from(staff_members)
    .where(inCompany(scope, staff_members, staffId))
    .for('no key update');
  if (found.length === 0) throw unauthenticated();
}

/** False when the id is taken. */
export async function insertEntry(scope: TenantScope, { id, job }: { id: string; job: TimedJob }, staffId: string): Promise<boolean> {
  const inserted = await scope.db
    .insert(time_entries)
    .values({
      company_id: scope.companyId,
      id,
      job_id: job.id,
      job_number: job.job_number,
      job_title: job.title,
      staff_id: staffId,
      staff_name: nameOf(scope, staffId),
      started_at: startNow(scope, staffId),
      version: 1,
    })
    .onConflictDoNothing({ target: [time_entries.company_id, time_entries.id] })
    .returning({ id: time_entries.id });
  return inserted.length > 0;
}

/** Longer than a request waits for a connection and for locks. */
const LONGEST_WAIT = sql`interval '1 minute'`;

/**
 * Whole seconds. A request that has waited for another one of the same person may be older than the end which that one stored: it starts
 * there, so that no second counts twice. An end that is further ahead was stored before the clock was set back, and is ignored.
 */
function startNow(scope: TenantScope, staffId: string) {
  const now = sql`${scope.now}::timestamptz`;
  const { started_at, ended_at } = time_entries;
  return sql`greatest(date_trunc('second', ${now}), (select case when last.ended_at < ${now} + ${LONGEST_WAIT} then last.ended_at end
    from (select ${ended_at} from ${time_entries} where ${and(inCompany(scope, time_entries), eq(time_entries.staff_id, staffId))}
      order by ${started_at} desc, ${ended_at} desc limit 1) as last))`;
}

/**
 * The person's latest entry of the last day on a job that is not finished; the running one, if there is one. Two selects, each with an index
 * of its own, because every page asks for it every few seconds; the second one reads a month instead of years: no timer runs for longer.
 */
export async function findLatestEntry(scope: TenantScope, staffId: string): Promise<(ActiveTimer['entry'] & { job_id: string }) | null> {
  const { id, started_at, ended_at, version } = time_entries;
  const select = (condition: SQL) =>
    scope.db
      .select({ id, started_at, ended_at, version, job_id: jobs.id })
      .from(time_entries)
      .innerJoin(jobs, and(eq(jobs.company_id, time_entries.company_id), eq(jobs.id, time_entries.job_id)))
      .where(and(inCompany(scope, time_entries), eq(time_entries.staff_id, staffId), inArray(jobs.status, ACTIVE_STATUSES), condition));
  const running = select(isNull(ended_at));
  const since = (interval: SQL) => sql`${scope.now}::timestamptz - ${interval}`;
  const isRecent = sql`${ended_at} > ${since(sql`interval '1 day'`)} and ${started_at} > ${since(sql`interval '30 days'`)}`;
  const found = await running.unionAll(select(isRecent));
  const isRunning = (entry: (typeof found)[number]) => Number(entry.ended_at === null);
  const [latest] = found.toSorted(
    (one, other) => isRunning(other) - isRunning(one) || compareTexts(other.started_at, one.started_at) || compareTexts(other.id, one.id),
  );
  return latest ?? null;
}

/** When the person's next entry started, after this one. One that ended in the second it started in is in nobody's way. */
export async function findNextStart(scope: TenantScope, entry: TimeEntry): Promise<string | null> {
  if (!entry.staff_id) return null;
  const [next] = await scope.db
    .select({ started_at: time_entries.started_at })
    .from(time_entries)
    .where(
      and(
        inCompany(scope, time_entries),
        eq(time_entries.staff_id, entry.staff_id),
        ne(time_entries.id, entry.id),
        gte(time_entries.started_at, entry.started_at),
        or(isNull(time_entries.ended_at), gt(time_entries.ended_at, time_entries.started_at)),
      ),
    )
    .orderBy(asc(time_entries.started_at))
    .limit(1);
  return next?.started_at ?? null;
}

export async function isBilled(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db
    .select({ id: time_entries.id })
    .from(time_entries)
    .where(and(inCompany(scope, time_entries, id), isNotNull(time_entries.allocated_item_id)));
  return rows.length > 0;
}

/**
 * Marks all finished time of a job that no line bills as billed by this one, and a running timer's up to now: it goes on as a new entry
 * that starts where the billed one ends. Needs the job's lock.
 */
export async function billTime(scope: TenantScope, jobId: string, lineId: string): Promise<void> {
  const isOpen = and(inCompany(scope, time_entries), eq(time_entries.job_id, jobId), isNull(time_entries.allocated_item_id));
  const split = await scope.db
    .update(time_entries)
    .set(ended(scope))
    .where(and(isOpen, isNull(time_entries.ended_at)))
    .returning();
  await scope.db.update(time_entries).set({ allocated_item_id: lineId }).where(isOpen);
  if (split.length === 0) return;
  await scope.db.insert(time_entries).values(
    split.map((entry) => ({
      ...entry,
      id: randomUUID(),
      started_at: entry.ended_at ?? entry.started_at,
      ended_at: null,
      allocated_item_id: null,
      version: 1,
    })),
  );
}

/**
 * What a week holds of one person's entries, or everybody's, the earliest first. Entries that began more than a day before it come from an
 * index of the long ones: looking for them among all others would read years for a week.
 */
export async function listEntries(
  scope: TenantScope,
  { from, to, staffId }: { from: string; to: string; staffId: string | undefined },
): Promise<SheetEntry[]> {
  const { started_at, ended_at } = time_entries;
  const dayBefore = sql`${from}::timestamptz - interval '1 day'`;
  const isLong = sql`(${ended_at} is null or ${ended_at} - ${started_at} > interval '1 day')`;
  const select = (began: SQL | undefined) =>
    scope.db
      .select({
        ...columnsOf(time_entries, TimeEntry),
        is_allocated: sql<boolean>`${time_entries.allocated_item_id} is not null`,
        job_type: jobs.job_type,
        job_rate: jobs.hourly_rate,
        staff_rate: staff_members.hourly_rate,
        company_rate: companies.default_hourly_rate,
      })
      .from(time_entries)
      .innerJoin(companies, eq(companies.company_id, time_entries.company_id))
      .leftJoin(jobs, and(eq(jobs.company_id, time_entries.company_id), eq(jobs.id, time_entries.job_id)))
      .leftJoin(staff_members, and(eq(staff_members.company_id, jobs.company_id), eq(staff_members.id, jobs.staff_id)))
      .where(
        and(
          inCompany(scope, time_entries),
          staffId === undefined ? undefined : eq(time_entries.staff_id, staffId),
          or(isNull(ended_at), gt(ended_at, from)),
          began,
        ),
      );
  const found = await select(and(gte(started_at, dayBefore), lt(started_at, to))).unionAll(select(and(lt(started_at, dayBefore), isLong)));
  return found
    .map(({ job_type, job_rate, staff_rate, company_rate, ...entry }) => ({
      ...entry,
      hourly_rate: job_type === 'hourly' ? effectiveHourlyRate({ staff: staff_rate, job: job_rate, company: company_rate }) : null,
    }))
    .toSorted((one, other) => compareTexts(one.started_at, other.started_at) || compareTexts(one.id, other.id));
}

const compareTexts = (one: string, other: string) => (one < other ? -1 : Number(one > other));
