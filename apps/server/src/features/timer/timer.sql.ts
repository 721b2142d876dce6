import { randomUUID } from 'node:crypto';
import { type ActiveTimer, type SheetEntry, TimeEntry, timeEntryNotFoundError } from '@callout/contract/timer';
import { isActiveStatus } from '@callout/domain/jobs/job';
import { getEffectiveHourlyRate } from '@callout/domain/timer/timer';
import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { getLateMadeAt, getMadeAt } from '../../platform/db/made-at.ts';
import { defineRecord, inCompany, pickColumns, selectExistingId } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { buildStaffNameSubquery } from '../history/history.sql.ts';
import { buildEntryEnd, staffRateOfJob } from '../jobs/jobs.sql.ts';
import { jobs, time_entries } from '../jobs/jobs.table.ts';

const entryColumns = { ...pickColumns(time_entries, TimeEntry), staff_id: selectExistingId(time_entries.staff_id, staff_members) };

export const timeEntryRecordType = defineRecord(time_entries, entryColumns, { notFound: timeEntryNotFoundError });

const isRunningEntryOf = (scope: TenantScope, staffId: string) =>
  and(inCompany(scope, time_entries), eq(time_entries.staff_id, staffId), isNull(time_entries.ended_at));

const buildEndFields = (at: string) => ({ ended_at: buildEntryEnd(at), version: sql`${time_entries.version} + 1` });

/** Says when a start or pause arrived that was pressed more than a minute before. */
const buildArrival = (scope: Pick<TenantScope, 'now' | 'madeAgoMs'>) => getLateMadeAt(scope) !== null && { arrived_at: scope.now };

export interface TimedJob {
  readonly id: string;
  readonly job_number: string;
  readonly title: string;
}

export async function findRunningJob(scope: TenantScope, staffId: string): Promise<(TimedJob & { started_at: string }) | null> {
  const [running] = await scope.db
    .select({ id: jobs.id, job_number: jobs.job_number, title: jobs.title, started_at: time_entries.started_at })
    .from(time_entries)
    .innerJoin(jobs, and(eq(jobs.company_id, time_entries.company_id), eq(jobs.id, time_entries.job_id)))
    .where(isRunningEntryOf(scope, staffId));
  return running ?? null;
}

/** Pauses the person's running timer. */
export async function pauseRunningTimer(scope: TenantScope, staffId: string): Promise<void> {
  await scope.db
    .update(time_entries)
    .set({ ...buildEndFields(getMadeAt(scope)), ...buildArrival(scope) })
    .where(isRunningEntryOf(scope, staffId));
}

export interface RunningTimer {
  readonly id: string;
  readonly started_at: string;
  /** When the person pressed Start, if the time since then was billed in part. */
  readonly timer_started_at: string | null;
}

export async function findRunningEntry(scope: TenantScope, staffId: string, jobId: string): Promise<RunningTimer | null> {
  const { id, started_at, timer_started_at } = time_entries;
  const [running] = await scope.db
    .select({ id, started_at, timer_started_at })
    .from(time_entries)
    .where(and(isRunningEntryOf(scope, staffId), eq(time_entries.job_id, jobId)));
  return running ?? null;
}

export interface RunningEntry {
  readonly staff_id: string | null;
  readonly staff_name: string;
  readonly job_id: string | null;
}

const runningEntryColumns = { staff_id: time_entries.staff_id, staff_name: time_entries.staff_name, job_id: time_entries.job_id };
const isRunningInCompany = (scope: TenantScope) => and(inCompany(scope, time_entries), isNull(time_entries.ended_at));

export function listRunningEntries(scope: TenantScope): Promise<RunningEntry[]> {
  return scope.db.select(runningEntryColumns).from(time_entries).where(isRunningInCompany(scope));
}

/** Ends all running entries of the company and returns them. */
export async function endRunningEntries(scope: TenantScope, at: string): Promise<RunningEntry[]> {
  return scope.db.update(time_entries).set(buildEndFields(at)).where(isRunningInCompany(scope)).returning(runningEntryColumns);
}

/** Ends an entry, or ends it earlier. */
export async function endTimeEntry(scope: TenantScope, id: string, at: string): Promise<void> {
  await scope.db
    .update(time_entries)
    .set({ ...buildEndFields(at), ...buildArrival({ ...scope, madeAgoMs: Date.parse(scope.now) - Date.parse(at) }) })
    .where(inCompany(scope, time_entries, id));
}

/** Locks the staff member, so that their time can't change concurrently. To prevent deadlocks, call this before locking jobs. */
export async function lockStaffMemberIfExists(scope: TenantScope, staffId: string): Promise<boolean> {
  const found = await scope.db
    .select({ id: staff_members.id })
    .from(staff_members)
    .where(inCompany(scope, staff_members, staffId))
    .for('no key update');
  return found.length > 0;
}

interface NewTimeEntry {
  readonly id: string;
  readonly job: TimedJob;
  /** For time added by hand: its period, and the staff id of the person who adds it. Without it, the entry is a timer. */
  readonly added?: { readonly started_at: string; readonly ended_at: string; readonly by: string };
  /** When a timer ended that was started before, but arrived after, the person's next one. */
  readonly endedAt?: string | null;
}

/** Returns false if the id is taken. */
export async function insertTimeEntry(
  scope: TenantScope,
  { id, job, added, endedAt = null }: NewTimeEntry,
  staffId: string,
): Promise<boolean> {
  const startedAt = added ? sql`${added.started_at}::timestamptz` : buildEntryStart(scope, staffId);
  const end = added?.ended_at ?? endedAt;
  const inserted = await scope.db
    .insert(time_entries)
    .values({
      company_id: scope.companyId,
      id,
      job_id: job.id,
      job_number: job.job_number,
      job_title: job.title,
      staff_id: staffId,
      staff_name: buildStaffNameSubquery(scope, staffId),
      started_at: startedAt,
      // Another timer that was started in the same second can have moved the start beyond the end.
      ended_at: end && sql`greatest(${startedAt}, ${end}::timestamptz)`,
      added_by: added ? buildStaffNameSubquery(scope, added.by) : null,
      ...(!added && buildArrival(scope)),
      version: 1,
    })
    .onConflictDoNothing({ target: [time_entries.company_id, time_entries.id] })
    .returning({ id: time_entries.id });
  return inserted.length > 0;
}

/** Longer than any request waits for a connection and locks. */
const MAX_REQUEST_WAIT = sql`interval '1 minute'`;

/**
 * Builds a start time in whole seconds. If this request had to wait for another one, or took less time to arrive than an earlier pause, the
 * person's previous entry may end after it. The new entry then starts at that end, so that the two don't overlap. Ignores an end more than a
 * minute ahead, which means the clock was set back.
 */
function buildEntryStart(scope: TenantScope, staffId: string) {
  const at = sql`${getMadeAt(scope)}::timestamptz`;
  const { started_at, ended_at } = time_entries;
  const isEarlier = getLateMadeAt(scope) === null ? sql`${started_at} < ${at} + ${MAX_REQUEST_WAIT}` : sql`${started_at} <= ${at}`;
  return sql`greatest(date_trunc('second', ${at}), (select max(last.ended_at) filter (where last.ended_at < ${at} + ${MAX_REQUEST_WAIT})
    from (select ${ended_at} from ${time_entries} where ${and(isEntryOf(scope, staffId), isEarlier)}
      order by ${started_at} desc, ${ended_at} desc limit 5) as last))`;
}

const isEntryOf = (scope: TenantScope, staffId: string) => and(inCompany(scope, time_entries), eq(time_entries.staff_id, staffId));

/** Limits a search to a range of the index, assuming that no entry is longer. */
const MAX_ENTRY_LENGTH = sql`interval '60 days'`;
const isStartedUntil = (at: string) =>
  sql`${time_entries.started_at} between ${at}::timestamptz - ${MAX_ENTRY_LENGTH} and ${at}::timestamptz`;

/** Returns the person's finished entry at the moment, unless it ends within a minute: see `buildEntryStart`. */
export async function findFinishedEntryAt(scope: TenantScope, staffId: string, at: string) {
  const { job_id, job_number, job_title, started_at, ended_at, added_by } = time_entries;
  const [found] = await scope.db
    .select({ job_id, job_number, job_title, started_at, ended_at, added_by })
    .from(time_entries)
    .where(and(isEntryOf(scope, staffId), isStartedUntil(at), sql`${ended_at} >= ${at}::timestamptz + ${MAX_REQUEST_WAIT}`))
    .limit(1);
  return found ?? null;
}

export interface PausedEntry {
  readonly staffId: string;
  readonly jobId: string;
  /** Undefined for any entry of the job. */
  readonly id: string | undefined;
}

/**
 * Returns the person's timer entry that ended after the moment, although it was paused then on a device that was offline: something else has
 * ended it. Leaves out an end that someone has corrected.
 */
export async function findEntryEndedAfter(scope: TenantScope, { staffId, jobId, id: entryId }: PausedEntry, at: string) {
  const { id, job_id, started_at, timer_started_at, ended_at, allocated_item_id, original_ended_at, added_by } = time_entries;
  const [found] = await scope.db
    .select({ id, started_at, timer_started_at, ended_at, is_allocated: sql<boolean>`${allocated_item_id} is not null` })
    .from(time_entries)
    .where(
      and(
        isEntryOf(scope, staffId),
        eq(job_id, jobId),
        entryId === undefined ? undefined : eq(id, entryId),
        sql`coalesce(${timer_started_at}, ${started_at}) between ${at}::timestamptz - ${MAX_ENTRY_LENGTH} and ${at}::timestamptz`,
        gt(ended_at, at),
        and(isNull(original_ended_at), isNull(added_by)),
      ),
    )
    .orderBy(desc(started_at))
    .limit(1);
  return found?.ended_at ? { ...found, ended_at: found.ended_at } : null;
}

/**
 * Returns the person's running entry, or the latest entry that ended within a day. Returns null if that entry's job is finished or deleted:
 * an older timer on another job doesn't take its place. Every page polls this query, so it consists of two selects that each use an index.
 * The second ignores entries that started over 30 days ago, assuming that no timer runs that long.
 */
export async function findLatestTimeEntry(
  scope: TenantScope,
  staffId: string,
): Promise<(ActiveTimer['entry'] & { job_id: string }) | null> {
  const { id, started_at, ended_at, version } = time_entries;
  const select = (condition: SQL) =>
    scope.db
      .select({ id, started_at, ended_at, version, job_id: jobs.id, status: jobs.status })
      .from(time_entries)
      .leftJoin(jobs, and(eq(jobs.company_id, time_entries.company_id), eq(jobs.id, time_entries.job_id)))
      .where(and(inCompany(scope, time_entries), eq(time_entries.staff_id, staffId), isNull(time_entries.added_by), condition));
  const running = select(isNull(ended_at));
  const since = (interval: SQL) => sql`${scope.now}::timestamptz - ${interval}`;
  const isRecent = sql`${ended_at} > ${since(sql`interval '1 day'`)} and ${started_at} > ${since(sql`interval '30 days'`)}`;
  const found = await running.unionAll(select(isRecent));
  const isRunning = (entry: (typeof found)[number]) => Number(entry.ended_at === null);
  const [latest] = found.toSorted(
    (one, other) =>
      isRunning(other) - isRunning(one) || compareStrings(other.started_at, one.started_at) || compareStrings(other.id, one.id),
  );
  if (!latest?.job_id || !latest.status || !isActiveStatus(latest.status)) return null;
  const { status: _status, job_id, ...entry } = latest;
  return { ...entry, job_id };
}

/** Returns when the person's next entry starts. Skips entries shorter than a second, because they can't overlap other entries. */
export async function findNextEntryStart(
  scope: TenantScope,
  entry: Pick<TimeEntry, 'id' | 'staff_id' | 'started_at'>,
): Promise<string | null> {
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

export async function isTimeEntryBilled(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db
    .select({ id: time_entries.id })
    .from(time_entries)
    .where(and(inCompany(scope, time_entries, id), isNotNull(time_entries.allocated_item_id)));
  return rows.length > 0;
}

/** Returns the person's first entry, except `entryId`, that overlaps the period. Entries shorter than a second can't overlap. */
export async function findOverlappingEntry(
  scope: TenantScope,
  staffId: string,
  { started_at, ended_at }: { started_at: string; ended_at: string },
  entryId?: string,
): Promise<Pick<TimeEntry, 'job_number' | 'job_title'> | null> {
  const [overlapping] = await scope.db
    .select({ job_number: time_entries.job_number, job_title: time_entries.job_title })
    .from(time_entries)
    .where(
      and(
        inCompany(scope, time_entries),
        eq(time_entries.staff_id, staffId),
        entryId === undefined ? undefined : ne(time_entries.id, entryId),
        lt(time_entries.started_at, ended_at),
        or(isNull(time_entries.ended_at), and(gt(time_entries.ended_at, started_at), gt(time_entries.ended_at, time_entries.started_at))),
      ),
    )
    .orderBy(asc(time_entries.started_at))
    .limit(1);
  return overlapping ?? null;
}

/**
 * Marks all of the job's unbilled time as billed by the given line. Running timers are split: the time up to now becomes a billed entry,
 * and the timer continues from now. It keeps its id, because a pause that was pressed offline names that id. The caller must have locked
 * the job.
 */
export async function markTimeBilled(scope: TenantScope, jobId: string, lineId: string): Promise<void> {
  const isUnbilled = and(inCompany(scope, time_entries), eq(time_entries.job_id, jobId), isNull(time_entries.allocated_item_id));
  const isRunning = and(isUnbilled, isNull(time_entries.ended_at));
  const running = await scope.db.select().from(time_entries).where(isRunning);
  const continued = await scope.db
    .update(time_entries)
    .set({
      started_at: buildEntryEnd(scope.now),
      timer_started_at: sql`coalesce(${time_entries.timer_started_at}, ${time_entries.started_at})`,
      version: sql`${time_entries.version} + 1`,
    })
    .where(isRunning)
    .returning({ id: time_entries.id, started_at: time_entries.started_at });
  await scope.db
    .update(time_entries)
    .set({ allocated_item_id: lineId })
    .where(and(isUnbilled, isNotNull(time_entries.ended_at)));
  const billed = running.flatMap((entry) => {
    const ended_at = continued.find(({ id }) => id === entry.id)?.started_at ?? entry.started_at;
    return ended_at > entry.started_at
      ? [{ ...entry, id: randomUUID(), ended_at, allocated_item_id: lineId, timer_started_at: null, version: 1 }]
      : [];
  });
  if (billed.length > 0) await scope.db.insert(time_entries).values(billed);
}

/**
 * Lists the time entries that overlap the period, earliest first, for one person or everyone. Entries that started over a day before the
 * period are read from an index of long entries, because scanning all earlier entries would read years of rows.
 */
export async function listTimeSheetEntries(
  scope: TenantScope,
  { from, to, staffId }: { from: string; to: string; staffId: string | undefined },
): Promise<SheetEntry[]> {
  const { started_at, ended_at } = time_entries;
  const dayBefore = sql`${from}::timestamptz - interval '1 day'`;
  const isLong = sql`(${ended_at} is null or ${ended_at} - ${started_at} > interval '1 day')`;
  const select = (startFilter: SQL | undefined) =>
    scope.db
      .select({
        ...entryColumns,
        is_allocated: sql<boolean>`${time_entries.allocated_item_id} is not null`,
        job_type: jobs.job_type,
        job_rate: jobs.hourly_rate,
        is_job_rate_confirmed: jobs.hourly_rate_confirmed,
        staff_rate: staffRateOfJob,
        company_rate: companies.default_hourly_rate,
      })
      .from(time_entries)
      .innerJoin(companies, eq(companies.company_id, time_entries.company_id))
      .leftJoin(jobs, and(eq(jobs.company_id, time_entries.company_id), eq(jobs.id, time_entries.job_id)))
      .where(
        and(
          inCompany(scope, time_entries),
          staffId === undefined ? undefined : eq(time_entries.staff_id, staffId),
          or(isNull(ended_at), gt(ended_at, from)),
          startFilter,
        ),
      );
  const found = await select(and(gte(started_at, dayBefore), lt(started_at, to))).unionAll(select(and(lt(started_at, dayBefore), isLong)));
  return found
    .map(({ job_type, job_rate: job, is_job_rate_confirmed, staff_rate: staff, company_rate: company, ...entry }) => ({
      ...entry,
      hourly_rate:
        job_type === 'hourly' ? getEffectiveHourlyRate({ staff, job, company, isJobRateConfirmed: is_job_rate_confirmed ?? false }) : null,
    }))
    .toSorted((one, other) => compareStrings(one.started_at, other.started_at) || compareStrings(one.id, other.id));
}

const compareStrings = (one: string, other: string) => (one < other ? -1 : Number(one > other));
