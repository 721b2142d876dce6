import { idTakenError } from '@callout/contract/errors';
import type { Job } from '@callout/contract/jobs';
import { jobFinishedError, type TimeEntry, timerRunningError } from '@callout/contract/timer';
import { isActiveStatus } from '@callout/domain/jobs/job';
import { formatDateTime, formatTime } from '@callout/domain/time/date-format';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { getMember } from '../../platform/db/actor.ts';
import { getLateMadeAt, getMadeAt } from '../../platform/db/made-at.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { readTimezone } from '../company/company.sql.ts';
import { findEventAfter, findFirstEventTime, recordEvent } from '../history/history.sql.ts';
import { jobRecordType, lockJob } from '../jobs/jobs.sql.ts';
import {
  findFinishedEntryAt,
  findNextEntryStart,
  findRunningJob,
  insertTimeEntry,
  lockStaffMemberIfExists,
  pauseRunningTimer,
  timeEntryRecordType,
} from './timer.sql.ts';
import { truncateToSecond } from './worked-period.ts';

interface StartTimerInput {
  readonly id: string;
  readonly job_id: string;
  readonly pause_others: boolean;
}

/**
 * Starts a timer when the person pressed Start, which may be hours ago. Idempotent by `id`. To prevent deadlocks, locks the staff member, then
 * the jobs in id order, then the time entries.
 */
export async function startTimer(scope: TenantScope, { id, job_id, pause_others }: StartTimerInput): Promise<Job> {
  const { staffId } = getMember(scope.actor);
  await lockStaffMemberIfExists(scope, staffId);
  const running = await findRunningJob(scope, staffId);
  for (const locked of [...new Set([job_id, running?.id ?? job_id])].toSorted()) await lockJob(scope, locked);
  const job = await readRecord(scope, jobRecordType, job_id);
  const existing = await timeEntryRecordType.find(scope, id);
  if (existing) {
    if (existing.job_id !== job_id || existing.staff_id !== staffId) throw toFailure(idTakenError);
    return job;
  }
  if (!isActiveStatus(job.status)) throw toFailure(jobFinishedError);
  const isLate = getLateMadeAt(scope) !== null;
  const startedAt = truncateToSecond(getMadeAt(scope));
  // A timer that another device has started since goes on.
  if (running && !(isLate && running.started_at > startedAt)) {
    const isSameJob = running.id === job_id;
    // A late start gets an entry of its own even then: an earlier pause from another device may still arrive and end the running one.
    if (isSameJob && !(isLate && running.started_at < startedAt)) return job;
    if (!isSameJob && !pause_others)
      throw toFailure(timerRunningError, { job_id: running.id, job_number: running.job_number, title: running.title });
    await pauseRunningTimer(scope, staffId);
    if (!isSameJob) await recordEvent(scope, 'job', running.id, 'timer_paused');
  }
  if (isLate) await requireFreeMoment(scope, staffId, job, startedAt);
  const endedAt = isLate ? await findLateTimerEnd(scope, { id, job_id, staff_id: staffId, started_at: startedAt }) : null;
  if (!(await insertTimeEntry(scope, { id, job, endedAt }, staffId))) throw toFailure(idTakenError);
  await recordEvent(scope, 'job', job_id, 'timer_started');
  await publishChange(scope, 'jobs', 'timer');
  return readRecord(scope, jobRecordType, job_id);
}

/**
 * Returns what would have ended the timer, had its start arrived in time: the next start or pause that another device has sent since, or null.
 * A pause that was pressed before on the same device arrives after this.
 */
async function findLateTimerEnd(scope: TenantScope, entry: Pick<TimeEntry, 'id' | 'staff_id' | 'started_at'> & { job_id: string }) {
  // A pause that was pressed just before the start may have taken longer to arrive, and then seems to be later.
  const clearlyAfter = new Date(Date.parse(entry.started_at) + MINUTE_MS).toISOString();
  const pausedAt = await findEventAfter(scope, { kind: 'job', id: entry.job_id }, 'timer_paused', clearlyAfter);
  const ends = [await findNextEntryStart(scope, entry), pausedAt && truncateToSecond(pausedAt)].filter((end) => end !== null);
  return ends.toSorted()[0] ?? null;
}

/** Throws if the person was doing something else at the moment, or if the job didn't exist yet. */
async function requireFreeMoment(scope: TenantScope, staffId: string, job: Job, at: string): Promise<void> {
  // A job that was created without a connection existed before it arrived.
  if (at < truncateToSecond(job.created_at) && at < truncateToSecond((await findFirstEventTime(scope, 'job', job.id)) ?? job.created_at))
    throw createInvalidInputFailure({ job_id: `This job didn't exist yet at ${await formatMoment(scope, at)}.` });
  const other = await findFinishedEntryAt(scope, staffId, at);
  if (!other) return;
  const { added_by, ...entry } = other;
  const moment = `on #${entry.job_number} at ${await formatMoment(scope, at)}.`;
  throw createFailure('TIME_TAKEN', `${added_by === null ? 'Your timer was already running' : 'You already have time'} ${moment}`, entry);
}

/** Formats an instant like '9:02 AM', with its date unless that is today. */
async function formatMoment(scope: TenantScope, instant: string): Promise<string> {
  const zone = await readTimezone(scope);
  const isToday = toLocalDate(instant, zone) === toLocalDate(scope.now, zone);
  return isToday ? formatTime(instant, zone) : formatDateTime(instant, zone);
}
