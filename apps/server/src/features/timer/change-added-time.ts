import type { TimeEntry } from '@callout/contract/timer';
import { getMember } from '../../platform/db/actor.ts';
import { deleteRecord, readRecord, updateRecordAtVersion } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, requireCapability } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { diffFields, recordEvent } from '../history/history.sql.ts';
import { lockJob } from '../jobs/jobs.sql.ts';
import { lockStaffMemberIfExists, timeEntryRecordType } from './timer.sql.ts';
import { requireFreePeriod, requireUnbilledEntry, truncatePeriod, type WorkedPeriod } from './worked-period.ts';

interface ChangeTimeInput extends WorkedPeriod {
  readonly id: string;
  readonly version: number;
}

/** Changes the period of time that was added by hand and isn't billed. */
export async function changeAddedTime(scope: TenantScope, { id, version, ...input }: ChangeTimeInput): Promise<TimeEntry> {
  const entry = await lockAddedEntry(scope, id);
  const period = truncatePeriod(input);
  const changes = diffFields({ started_at: entry.started_at, ended_at: entry.ended_at }, { ...period });
  await requireUnbilledEntry(scope, id, 'started_at');
  await requireFreePeriod(scope, entry.staff_id, period, id);
  const changed = await updateRecordAtVersion(scope, timeEntryRecordType, { id, version }, period);
  if (entry.job_id) await recordEvent(scope, 'job', entry.job_id, 'time_changed', { ...changes, ...buildOwnerChange(scope, entry) });
  await publishChange(scope, 'jobs', 'timer');
  return changed;
}

/** Deletes time that was added by hand and isn't billed. The history of the job keeps its period. */
export async function removeAddedTime(scope: TenantScope, id: string): Promise<void> {
  const entry = await lockAddedEntry(scope, id);
  await requireUnbilledEntry(scope, id, 'started_at');
  await deleteRecord(scope, timeEntryRecordType, id);
  const period: [string, string | null] = [entry.started_at, entry.ended_at];
  if (entry.job_id) await recordEvent(scope, 'job', entry.job_id, 'time_removed', { period, ...buildOwnerChange(scope, entry) });
  await publishChange(scope, 'jobs', 'timer');
}

/** Names the person who worked, unless they made the change. */
const buildOwnerChange = ({ actor }: TenantScope, { staff_id, staff_name }: TimeEntry) =>
  staff_id === getMember(actor).staffId ? {} : { time_of: [null, staff_name] as [null, string] };

/** Locks the person, then the job, like the timer. Throws if a timer recorded the entry or the caller may not change it. */
async function lockAddedEntry(scope: TenantScope, id: string): Promise<TimeEntry> {
  const { staffId, role } = getMember(scope.actor);
  const { staff_id, job_id } = await readRecord(scope, timeEntryRecordType, id);
  if (staff_id !== staffId) requireCapability(role, 'time.editAll');
  if (staff_id) await lockStaffMemberIfExists(scope, staff_id);
  if (job_id) await lockJob(scope, job_id);
  const entry = await readRecord(scope, timeEntryRecordType, id);
  if (entry.added_by === null)
    throw createInvalidInputFailure({ started_at: 'A timer recorded this time, so only its end can be corrected.' });
  return entry;
}
