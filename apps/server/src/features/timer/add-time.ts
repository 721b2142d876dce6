import { idTakenError } from '@callout/contract/errors';
import type { Job } from '@callout/contract/jobs';
import { jobFinishedError } from '@callout/contract/timer';
import { canAddTime } from '@callout/domain/jobs/job';
import { getMember } from '../../platform/db/actor.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { requireCapability, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { jobRecordType, lockJob } from '../jobs/jobs.sql.ts';
import { createMissingReferenceFailure } from '../jobs/save-job.sql.ts';
import { insertTimeEntry, lockStaffMemberIfExists, timeEntryRecordType } from './timer.sql.ts';
import { requireFreePeriod, truncatePeriod, type WorkedPeriod } from './worked-period.ts';

interface AddTimeInput extends WorkedPeriod {
  readonly id: string;
  readonly job_id: string;
  readonly staff_id?: string | undefined;
}

/** Adds time that no timer recorded. Idempotent by `id`. Locks the staff member before the job, like the timer. */
export async function addTime(scope: TenantScope, { id, job_id, ...input }: AddTimeInput): Promise<Job> {
  const { staffId: myStaffId, role } = getMember(scope.actor);
  const staff_id = input.staff_id ?? myStaffId;
  if (staff_id !== myStaffId) requireCapability(role, 'time.editAll');
  if (!(await lockStaffMemberIfExists(scope, staff_id))) throw createMissingReferenceFailure('staff_id', 'staff member');
  await lockJob(scope, job_id);
  const job = await readRecord(scope, jobRecordType, job_id);
  const period = truncatePeriod(input);
  const existing = await timeEntryRecordType.find(scope, id);
  if (existing) {
    const isSame = existing.job_id === job_id && existing.staff_id === staff_id && existing.started_at === period.started_at;
    if (!isSame) throw toFailure(idTakenError);
    return job;
  }
  if (!canAddTime(job.status)) throw toFailure(jobFinishedError);
  await requireFreePeriod(scope, staff_id, period);
  if (!(await insertTimeEntry(scope, { id, job, added: { ...period, by: myStaffId } }, staff_id))) throw toFailure(idTakenError);
  const { staff_name } = await readRecord(scope, timeEntryRecordType, id);
  await recordEvent(scope, 'job', job_id, 'time_added', {
    period: [period.started_at, period.ended_at],
    ...(staff_id === myStaffId ? {} : { time_of: [null, staff_name] }),
  });
  await publishChange(scope, 'jobs', 'timer');
  return readRecord(scope, jobRecordType, job_id);
}
