import { DAY_MS } from '@callout/domain/time/time-units';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure } from '../../platform/errors/failures.ts';
import { findOverlappingEntry, isTimeEntryBilled } from './timer.sql.ts';

export interface WorkedPeriod {
  readonly started_at: string;
  readonly ended_at: string;
}

const MAX_AGE_MS = 366 * DAY_MS;

/** Time entries are stored in whole seconds. */
export const truncateToSecond = (instant: string) => `${new Date(instant).toISOString().slice(0, 19)}.000Z`;

export const truncatePeriod = ({ started_at, ended_at }: WorkedPeriod): WorkedPeriod => ({
  started_at: truncateToSecond(started_at),
  ended_at: truncateToSecond(ended_at),
});

export function requireValidEnd({ now }: TenantScope, { started_at, ended_at }: WorkedPeriod): void {
  if (Date.parse(ended_at) <= Date.parse(started_at)) throw createInvalidInputFailure({ ended_at: 'The end must be after the start' });
  if (Date.parse(ended_at) > Date.parse(now)) throw createInvalidInputFailure({ ended_at: 'The end must not be in the future' });
}

/** Throws unless the person can have worked the whole period. `entryId` is the entry that gets this period, if it exists already. */
export async function requireFreePeriod(scope: TenantScope, staffId: string | null, period: WorkedPeriod, entryId?: string): Promise<void> {
  requireValidEnd(scope, period);
  const [start, end] = [Date.parse(period.started_at), Date.parse(period.ended_at)];
  if (end - start > DAY_MS) throw createInvalidInputFailure({ ended_at: 'Please add at most 24 hours at once' });
  if (start < Date.parse(scope.now) - MAX_AGE_MS)
    throw createInvalidInputFailure({ started_at: 'The start must not be more than a year ago' });
  const overlapping = staffId === null ? null : await findOverlappingEntry(scope, staffId, period, entryId);
  if (!overlapping) return;
  const { job_number, job_title } = overlapping;
  throw createInvalidInputFailure({ started_at: `This overlaps time on #${job_number} ${job_title}` });
}

/** Throws, at the given field, if a line bills the entry. */
export async function requireUnbilledEntry(scope: TenantScope, id: string, field: keyof WorkedPeriod): Promise<void> {
  if (!(await isTimeEntryBilled(scope, id))) return;
  throw createInvalidInputFailure({ [field]: 'This time has been allocated. Remove its line from the job first.' });
}
