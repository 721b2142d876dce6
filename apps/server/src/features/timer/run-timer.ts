import { idTaken } from '@callout/contract/errors';
import type { Job } from '@callout/contract/jobs';
import { type ActiveTimer, entryNotFound, jobFinished, nothingToAllocate, type TimeEntry, timerRunning } from '@callout/contract/timer';
import { isActive } from '@callout/domain/jobs/job';
import { DAY_MS } from '@callout/domain/time/time-units';
import { elapsedSeconds } from '@callout/domain/timer/elapsed-time';
import { timeCost, unitPriceOf } from '@callout/domain/timer/timer';
import { memberOf } from '../../platform/db/actor.ts';
import { readRecord, updateFromVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { insertLine } from '../jobs/job-lines.sql.ts';
import { storableTotal } from '../jobs/job-lines.ts';
import { jobRecord, lockJob } from '../jobs/jobs.sql.ts';
import { goneReference } from '../jobs/save-job.sql.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { findPickedItem } from '../suppliers/suppliers.sql.ts';
import {
  billTime,
  endEntry,
  entryRecord,
  findLatestEntry,
  findNextStart,
  findRunningEntry,
  findRunningJob,
  insertEntry,
  isBilled,
  lockPerson,
  pauseOtherJobs,
} from './timer.sql.ts';

interface StartInput {
  readonly id: string;
  readonly job_id: string;
  readonly pause_others: boolean;
}

/** Locks are taken in one order everywhere: the person, their jobs by id, then entries. */
export async function startTimer(scope: TenantScope, { id, job_id, pause_others }: StartInput): Promise<Job> {
  const { staffId } = memberOf(scope.actor);
  await lockPerson(scope, staffId);
  const running = await findRunningJob(scope, staffId);
  for (const locked of [...new Set([job_id, running?.id ?? job_id])].toSorted()) await lockJob(scope, locked);
  const job = await readRecord(scope, jobRecord, job_id);
  const repeated = await entryRecord.find(scope, id);
  if (repeated) {
    if (repeated.job_id !== job_id || repeated.staff_id !== staffId) throw failureOf(idTaken);
    return job;
  }
  if (!isActive(job.status)) throw failureOf(jobFinished);
  if (running?.id === job_id) return job;
  if (running && !pause_others) {
    throw failureOf(timerRunning, { job_id: running.id, job_number: running.job_number, title: running.title });
  }
  for (const paused of await pauseOtherJobs(scope, staffId, job_id)) await recordEvent(scope, 'job', paused, 'timer_paused');
  if (!(await insertEntry(scope, { id, job }, staffId))) throw failureOf(idTaken);
  await recordEvent(scope, 'job', job_id, 'timer_started');
  await publishChange(scope, 'jobs', 'timer');
  return readRecord(scope, jobRecord, job_id);
}

interface PauseInput {
  readonly job_id: string;
  readonly entry_id?: string | undefined;
  readonly at?: string | undefined;
}

/** Pausing a timer that does not run, or runs as another entry by now, changes nothing. */
export async function pauseTimer(scope: TenantScope, { job_id, entry_id, at }: PauseInput): Promise<Job> {
  const { staffId } = memberOf(scope.actor);
  await lockPerson(scope, staffId);
  await lockJob(scope, job_id);
  const named = entry_id === undefined ? undefined : await readRecord(scope, entryRecord, entry_id);
  if (named && named.staff_id !== staffId) throw failureOf(entryNotFound);
  const running = await findRunningEntry(scope, staffId, job_id);
  if (running && (entry_id === undefined || entry_id === running.id)) {
    await endEntry(scope, running.id, at === undefined ? scope.now : pausedAt(scope, running.started_at, at));
    await recordEvent(scope, 'job', job_id, 'timer_paused');
    await publishChange(scope, 'jobs', 'timer');
  }
  return readRecord(scope, jobRecord, job_id);
}

/** The clock of a device is only nearly the server's. */
const CLOCK_ERROR_MS = 60_000;
/** Longer than a device is without signal. */
const LONGEST_DELAY_MS = 30 * DAY_MS;

/** The moment at which a pause was pressed on a device without signal: within its entry, and never in the future. */
function pausedAt({ now }: TenantScope, startedAt: string, at: string): string {
  const [moment, present] = [Date.parse(at), Date.parse(now)];
  if (moment < Date.parse(startedAt) - CLOCK_ERROR_MS) throw invalidInput({ at: 'The end must be after the start' });
  if (moment > present + CLOCK_ERROR_MS) throw invalidInput({ at: 'The end must not be in the future' });
  if (moment < present - LONGEST_DELAY_MS) throw invalidInput({ at: 'This pause is too old. Please correct the end instead.' });
  return new Date(Math.min(moment, present)).toISOString();
}

export async function readActiveTimer(scope: TenantScope): Promise<ActiveTimer | null> {
  const latest = await findLatestEntry(scope, memberOf(scope.actor).staffId);
  const job = latest && (await jobRecord.find(scope, latest.job_id));
  if (!job) return null;
  const { job_id, ...entry } = latest;
  const { job_number, title, duration, timer } = job;
  return { ...timer, job_id, job_number, title, duration, timer_status: entry.ended_at === null ? 'started' : 'paused', entry };
}

interface Correction {
  readonly id: string;
  readonly version: number;
  readonly ended_at: string;
}

/** The owner of an entry says when the work really ended; what was there before is kept. */
export async function correctEnd(scope: TenantScope, { id, version, ended_at }: Correction): Promise<TimeEntry> {
  const { staffId } = memberOf(scope.actor);
  await lockPerson(scope, staffId);
  const entry = await readRecord(scope, entryRecord, id);
  if (entry.staff_id !== staffId) throw failureOf(entryNotFound);
  if (entry.job_id) await lockJob(scope, entry.job_id);
  const end = `${new Date(ended_at).toISOString().slice(0, 19)}.000Z`;
  if (end <= entry.started_at) throw invalidInput({ ended_at: 'The end must be after the start' });
  if (end > scope.now) throw invalidInput({ ended_at: 'The end must not be in the future' });
  const next = await findNextStart(scope, entry);
  if (next !== null && end > next) throw invalidInput({ ended_at: 'Another timer of yours had started by then' });
  if (await isBilled(scope, id)) throw invalidInput({ ended_at: 'This time has been allocated. Remove its line from the job first.' });
  const before = entry.ended_at ?? scope.now;
  const corrected = await updateFromVersion(
    scope,
    entryRecord,
    { id, version },
    {
      ended_at: end,
      original_ended_at: entry.original_ended_at ?? before,
      corrected_at: scope.now,
      corrected_by: entry.staff_name,
    },
  );
  if (entry.job_id) await recordEvent(scope, 'job', entry.job_id, 'time_corrected', { ended_at: [before, end] });
  await publishChange(scope, 'jobs', 'timer');
  return corrected;
}

interface Allocation {
  readonly id: string;
  readonly job_id: string;
  readonly supplier_item_id: string;
  readonly quantity: number;
}

/** Bills the time that no line bills yet, as one line whose total is exact and whose unit price follows from it. */
export async function allocateTime(scope: TenantScope, { id, job_id, supplier_item_id, quantity }: Allocation): Promise<Job> {
  await lockJob(scope, job_id);
  const { timer, items, job_type } = await readRecord(scope, jobRecord, job_id);
  const repeated = items.find((item) => item.id === id);
  if (repeated) {
    if (repeated.supplier_item_id !== supplier_item_id) throw failureOf(idTaken);
    return readRecord(scope, jobRecord, job_id);
  }
  // A line would replace the fixed price.
  if (job_type !== 'hourly') throw invalidInput({ job_id: 'Time is billed on hourly jobs only.' });
  const running = timer.running.map(({ started_at }) => ({ started_at, ended_at: null }));
  const seconds = timer.finished_seconds + elapsedSeconds(running, scope.now) - timer.allocated_seconds;
  if (seconds <= 0) throw failureOf(nothingToAllocate);
  const item = await findPickedItem(scope, supplier_item_id);
  if (!item) throw goneReference('supplier_item_id', 'item');
  const total_price = storableTotal(timeCost(seconds, timer.hourly_rate));
  const unit_price = unitPriceOf(total_price, quantity);
  const line = { id, job_id, supplier_item_id, quantity: String(quantity), unit_price, total_price };
  if (!(await insertLine(scope, line, item))) throw failureOf(idTaken);
  await billTime(scope, job_id, id);
  await recordEvent(scope, 'job', job_id, 'time_allocated', {
    seconds: [null, String(seconds)],
    item_added: [null, `${quantity} × ${item.name}`],
  });
  await publishChange(scope, 'jobs', 'timer');
  return settleJob(scope, await readRecord(scope, jobRecord, job_id));
}
