import { idTakenError } from '@callout/contract/errors';
import type { Job } from '@callout/contract/jobs';
import { jobFinishedError } from '@callout/contract/timer';
import { canAddTime } from '@callout/domain/jobs/job';
import { DAY_MS } from '@callout/domain/time/time-units';
import { getMember } from '../../platform/db/actor.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, requireCapability, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { jobRecordType, lockJob } from '../jobs/jobs.sql.ts';
import { createMissingReferenceFailure } from '../jobs/save-job.sql.ts';
import { findOverlappingEntry, insertTimeEntry, lockStaffMemberIfExists, timeEntryRecordType } from './timer.sql.ts';

interface AddTimeInput {
  readonly id: string;
  readonly job_id: string;
  readonly staff_id?: string | undefined;
  readonly started_at: string;
  readonly ended_at: string;
}

/** Adds time that no timer recorded. Idempotent by `id`. Locks the staff member before the job, like the timer. */
export async function addTime(scope: TenantScope, { id, job_id, ...input }: AddTimeInput): Promise<Job> {
  const { staffId: myStaffId, role } = getMember(scope.actor);
  const staff_id = input.staff_id ?? myStaffId;
  if (staff_id !== myStaffId) requireCapability(role, 'time.editAll');
  if (!(await lockStaffMemberIfExists(scope, staff_id))) throw createMissingReferenceFailure('staff_id', 'staff member');
  await lockJob(scope, job_id);
  const job = await readRecord(scope, jobRecordType, job_id);
  const period = { started_at: truncateToSecond(input.started_at), ended_at: truncateToSecond(input.ended_at) };
  const existing = await timeEntryRecordType.find(scope, id);
  if (existing) {
    const isSame = existing.job_id === job_id && existing.staff_id === staff_id && existing.started_at === period.started_at;
    if (!isSame) throw toFailure(idTakenError);
    return job;
  }
  if (!canAddTime(job.status)) throw toFailure(jobFinishedError);
  requireValidPeriod(scope, period);
  const overlapping = await findOverlappingEntry(scope, staff_id, period);
  if (overlapping) {
    const { job_number, job_title } = overlapping;
    throw createInvalidInputFailure({ started_at: `This overlaps time on #${job_number} ${job_title}` });
  }
  if (!(await insertTimeEntry(scope, { id, job, added: { ...period, by: myStaffId } }, staff_id))) throw toFailure(idTakenError);
  const { staff_name } = await readRecord(scope, timeEntryRecordType, id);
  await recordEvent(scope, 'job', job_id, 'time_added', {
    period: [period.started_at, period.ended_at],
    ...(staff_id === myStaffId ? {} : { time_of: [null, staff_name] }),
  });
  await publishChange(scope, 'jobs', 'timer');
  return readRecord(scope, jobRecordType, job_id);
}

/** Time entries are stored in whole seconds. */
const truncateToSecond = (instant: string) => `${new Date(instant).toISOString().slice(0, 19)}.000Z`;

function requireValidPeriod({ now }: TenantScope, { started_at, ended_at }: { started_at: string; ended_at: string }): void {
  if (ended_at <= started_at) throw createInvalidInputFailure({ ended_at: 'The end must be after the start' });
  if (ended_at > now) throw createInvalidInputFailure({ ended_at: 'The end must not be in the future' });
  if (Date.parse(ended_at) - Date.parse(started_at) > DAY_MS)
    throw createInvalidInputFailure({ ended_at: 'Please add at most 24 hours at once' });
}
