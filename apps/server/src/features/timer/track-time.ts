import { idTakenError } from '@callout/contract/errors';
import type { Job } from '@callout/contract/jobs';
import { type ActiveTimer, nothingToAllocateError, type TimeEntry, timeEntryNotFoundError } from '@callout/contract/timer';
import { formatLowerPriceError } from '@callout/domain/jobs/line-price';
import { toDecimal } from '@callout/domain/money/decimal';
import { formatAmount } from '@callout/domain/money/money-format';
import { hasCapability } from '@callout/domain/roles/roles';
import { calculateElapsedSeconds } from '@callout/domain/timer/elapsed-time';
import { calculateTimeCost, calculateUnitPrice } from '@callout/domain/timer/timer';
import { getMember } from '../../platform/db/actor.ts';
import { getLateMadeAt, getMadeAt, MAX_MADE_AGO_MS } from '../../platform/db/made-at.ts';
import { readRecord, updateRecordAtVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import type { FieldChanges } from '../history/history.table.ts';
import { insertJobLine, type LineContent } from '../jobs/job-lines.sql.ts';
import { requireChangeableLines, requireStorableTotal } from '../jobs/job-lines.ts';
import { jobRecordType, lockJob, repriceJob } from '../jobs/jobs.sql.ts';
import { createMissingReferenceFailure } from '../jobs/save-job.sql.ts';
import { lockPricedJob, settleJob } from '../jobs/settle-job.ts';
import { findPickedItem } from '../suppliers/suppliers.sql.ts';
import {
  endRunningEntries,
  endTimeEntry,
  findEntryEndedAfter,
  findLatestTimeEntry,
  findNextEntryStart,
  findRunningEntry,
  listRunningEntries,
  lockStaffMemberIfExists,
  markTimeBilled,
  type PausedEntry,
  type RunningTimer,
  timeEntryRecordType,
} from './timer.sql.ts';
import { requireUnbilledEntry, requireValidEnd, truncateToSecond } from './worked-period.ts';

interface PauseTimerInput {
  readonly job_id: string;
  readonly entry_id?: string | undefined;
  readonly at?: string | undefined;
}

/**
 * Pauses the caller's timer. Does nothing if no timer was running at the time, or if the running entry is newer than `entry_id`. A pause that
 * was pressed without a connection also shortens an entry that something else has ended since, such as a start on another device.
 */
export async function pauseTimer(scope: TenantScope, { job_id, entry_id, at }: PauseTimerInput): Promise<Job> {
  const { staffId } = getMember(scope.actor);
  await lockStaffMemberIfExists(scope, staffId);
  await lockJob(scope, job_id);
  const requestedEntry = entry_id === undefined ? undefined : await readRecord(scope, timeEntryRecordType, entry_id);
  if (requestedEntry && requestedEntry.staff_id !== staffId) throw toFailure(timeEntryNotFoundError);
  const found = await findRunningEntry(scope, staffId, job_id);
  const running = (entry_id ?? found?.id) === found?.id ? found : null;
  const pausedAt = at ?? getMadeAt(scope);
  if (running && (at !== undefined || wasRunning(running, pausedAt))) {
    await endRunningEntry(scope, job_id, running, at === undefined ? pausedAt : clampPauseTime(scope, running, at));
  } else if (!(await endEntryEarlier(scope, { staffId, jobId: job_id, id: entry_id }, pausedAt))) {
    // The start may have taken longer to arrive than the pause.
    if (running && wasRunning(running, pausedAt, MAX_CLOCK_SKEW_MS)) await endRunningEntry(scope, job_id, running, pausedAt);
    // A start that was pressed before it on another device may still arrive, and then ends at this pause.
    else if (getLateMadeAt(scope) !== null) await recordPause(scope, job_id, {});
  }
  return readRecord(scope, jobRecordType, job_id);
}

const getStartedAt = ({ started_at, timer_started_at }: RunningTimer) => timer_started_at ?? started_at;
const wasRunning = (running: RunningTimer, at: string, toleranceMs = 0) =>
  Date.parse(getStartedAt(running)) <= Date.parse(at) + toleranceMs;

async function endRunningEntry(scope: TenantScope, jobId: string, running: RunningTimer, pausedAt: string): Promise<void> {
  await endTimeEntry(scope, running.id, pausedAt);
  // The history tells the office that they billed time after the pause, which only the phone knew about.
  const wasBilledBeyond = running.timer_started_at !== null && pausedAt < running.started_at;
  await recordPause(scope, jobId, wasBilledBeyond ? { billed_until: [pausedAt, running.started_at] } : {});
}

/** Returns false if there is nothing to end earlier. Time that was billed in the meantime stays as it is, and the history says so. */
async function endEntryEarlier(scope: TenantScope, paused: PausedEntry, pausedAt: string): Promise<boolean> {
  if (Date.parse(scope.now) - Date.parse(pausedAt) <= MAX_CLOCK_SKEW_MS) return false;
  const ended = await findEntryEndedAfter(scope, paused, pausedAt);
  if (!ended) return false;
  if (!ended.is_allocated) await endTimeEntry(scope, ended.id, pausedAt);
  const billedUntil = ended.is_allocated ? ended.ended_at : ended.started_at;
  await recordPause(scope, paused.jobId, pausedAt < billedUntil ? { billed_until: [pausedAt, billedUntil] } : {});
  return true;
}

async function recordPause(scope: TenantScope, jobId: string, changes: FieldChanges): Promise<void> {
  await recordEvent(scope, 'job', jobId, 'timer_paused', changes);
  await publishChange(scope, 'jobs', 'timer');
}

/** Stops everyone's timers as of `at`. Takes locks in the same order as starting and pausing a timer. */
export async function stopAllTimers(scope: TenantScope, at: string): Promise<void> {
  const running = await listRunningEntries(scope);
  const sortIds = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))].toSorted();
  for (const staffId of sortIds(running.map(({ staff_id }) => staff_id))) await lockStaffMemberIfExists(scope, staffId);
  for (const jobId of sortIds(running.map(({ job_id }) => job_id))) await lockJob(scope, jobId);
  const { staffId: mine } = getMember(scope.actor);
  for (const { job_id, staff_id, staff_name } of await endRunningEntries(scope, at)) {
    if (job_id !== null) await recordEvent(scope, 'job', job_id, 'timer_paused', staff_id === mine ? {} : { timer_of: [null, staff_name] });
  }
  await publishChange(scope, 'jobs', 'timer');
}

/** Tolerated difference between a device's clock and the server's clock. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Returns when the pause was pressed on a device that was offline, but never a future time. Throws if the time isn't plausible. */
function clampPauseTime({ now }: TenantScope, running: RunningTimer, at: string): string {
  const [pausedMs, nowMs] = [Date.parse(at), Date.parse(now)];
  if (!wasRunning(running, at, MAX_CLOCK_SKEW_MS)) throw createInvalidInputFailure({ at: 'The end must be after the start' });
  if (pausedMs > nowMs + MAX_CLOCK_SKEW_MS) throw createInvalidInputFailure({ at: 'The end must not be in the future' });
  if (pausedMs < nowMs - MAX_MADE_AGO_MS) throw createInvalidInputFailure({ at: 'This pause is too old. Please correct the end instead.' });
  return new Date(Math.min(pausedMs, nowMs)).toISOString();
}

export async function readActiveTimer(scope: TenantScope): Promise<ActiveTimer | null> {
  const latest = await findLatestTimeEntry(scope, getMember(scope.actor).staffId);
  const job = latest && (await jobRecordType.find(scope, latest.job_id));
  if (!job) return null;
  const { job_id, ...entry } = latest;
  const { job_number, title, job_type, currency, duration, timer } = job;
  const timer_status = entry.ended_at === null ? 'started' : 'paused';
  return { ...timer, job_id, job_number, title, job_type, currency, duration, timer_status, entry };
}

interface CorrectionInput {
  readonly id: string;
  readonly version: number;
  readonly ended_at: string;
}

/** Lets people correct when their own time entry ended. The original end is stored too. */
export async function correctEntryEnd(scope: TenantScope, { id, version, ended_at }: CorrectionInput): Promise<TimeEntry> {
  const { staffId } = getMember(scope.actor);
  await lockStaffMemberIfExists(scope, staffId);
  const entry = await readRecord(scope, timeEntryRecordType, id);
  if (entry.staff_id !== staffId) throw toFailure(timeEntryNotFoundError);
  if (entry.job_id) await lockJob(scope, entry.job_id);
  const end = truncateToSecond(ended_at);
  requireValidEnd(scope, { started_at: entry.started_at, ended_at: end });
  const next = await findNextEntryStart(scope, entry);
  if (next !== null && end > next) throw createInvalidInputFailure({ ended_at: 'You had started another timer by then' });
  await requireUnbilledEntry(scope, id, 'ended_at');
  const before = entry.ended_at ?? scope.now;
  const changes = {
    ended_at: end,
    original_ended_at: entry.original_ended_at ?? before,
    corrected_at: scope.now,
    corrected_by: entry.staff_name,
  };
  const corrected = await updateRecordAtVersion(scope, timeEntryRecordType, { id, version }, changes);
  if (entry.job_id) await recordEvent(scope, 'job', entry.job_id, 'time_corrected', { ended_at: [before, end] });
  await publishChange(scope, 'jobs', 'timer');
  return corrected;
}

interface AllocateTimeInput {
  readonly id: string;
  readonly job_id: string;
  readonly supplier_item_id: string | null;
  /** These three describe a line typed by hand, which has no `supplier_item_id`. */
  readonly name?: string | undefined;
  readonly hourly_rate?: string | undefined;
  readonly tax_inclusive: boolean;
  readonly quantity: number;
}

/** Bills all unbilled time as one line. The line's total is exact, and the unit price is derived from the total. Idempotent by `id`. */
export async function allocateTime(scope: TenantScope, input: AllocateTimeInput): Promise<Job> {
  const { id, job_id, supplier_item_id, quantity } = input;
  const job = await lockPricedJob(scope, job_id);
  const { timer, items, job_type, status } = job;
  const existing = items.find((item) => item.id === id);
  if (existing) {
    if (existing.supplier_item_id !== supplier_item_id) throw toFailure(idTakenError);
    return job;
  }
  requireChangeableLines(scope, { status });
  // A fixed-price job can't have billed time, because adding a line would replace the fixed price.
  if (job_type !== 'hourly') throw createInvalidInputFailure({ job_id: 'Time can only be billed on hourly jobs.' });
  const running = timer.running.map(({ started_at }) => ({ started_at, ended_at: null }));
  const seconds = timer.finished_seconds + calculateElapsedSeconds(running, scope.now) - timer.allocated_seconds;
  if (seconds <= 0) throw toFailure(nothingToAllocateError);
  const item = await readLineContent(scope, input);
  requireEffectiveRate(scope, input.hourly_rate, timer.hourly_rate);
  const total_price = requireStorableTotal(calculateTimeCost(seconds, input.hourly_rate ?? timer.hourly_rate));
  const unit_price = calculateUnitPrice(total_price, quantity);
  const line = { id, job_id, supplier_item_id, quantity: String(quantity), unit_price, total_price };
  if (!(await insertJobLine(scope, line, item))) throw toFailure(idTakenError);
  await markTimeBilled(scope, job_id, id);
  await recordEvent(scope, 'job', job_id, 'time_allocated', {
    seconds: [null, String(seconds)],
    item_added: [null, `${quantity} × ${item.name}`],
  });
  await publishChange(scope, 'jobs', 'timer');
  return settleJob(scope, await repriceJob(scope, job_id));
}

/** Throws if a typed rate is below the job's rate and the caller may not manage payments, as with prices of the price list. */
function requireEffectiveRate({ actor }: TenantScope, typedRate: string | undefined, effectiveRate: string): void {
  if (typedRate === undefined || toDecimal(typedRate).gte(toDecimal(effectiveRate))) return;
  if (hasCapability(getMember(actor).role, 'payments.manage')) return;
  throw createInvalidInputFailure({ hourly_rate: formatLowerPriceError('hourly rate', formatAmount(effectiveRate)) });
}

async function readLineContent(
  scope: TenantScope,
  { supplier_item_id, name = '', tax_inclusive }: AllocateTimeInput,
): Promise<LineContent> {
  if (supplier_item_id === null) {
    return { name, tax_inclusive, is_service: true, description: null, sku: null, supplier_name: null, cost_price: null };
  }
  const item = await findPickedItem(scope, supplier_item_id);
  if (!item) throw createMissingReferenceFailure('supplier_item_id', 'item');
  return item;
}
