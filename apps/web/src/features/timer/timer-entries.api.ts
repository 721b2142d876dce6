import type { Job } from '@callout/contract/jobs';
import type { ActiveTimer, SheetEntry, TimeEntry } from '@callout/contract/timer';
import { calculateElapsedSeconds } from '@callout/domain/timer/elapsed-time';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { getErrorMessage, getFieldErrors } from '../../lib/error-messages.ts';
import { cacheJob, getJobLane, jobKeys } from '../jobs/jobs.api.ts';
import { TIMER_QUERY_KEY } from './timer.api.ts';
import { overlayActiveTimer, TIMER_LANE, withPause } from './timer-commands.api.ts';
import { TIME_SHEET_KEY, type TimeSheetResponse } from './timer-sheet.api.ts';

/** In the lane of the person's timer, because the time to change may come from a start and a pause that wait. */
const common = { lane: () => TIMER_LANE, invalidates: [TIMER_QUERY_KEY, jobKeys.all] };

const overlayEntries = (change: (entries: SheetEntry[], sheet: TimeSheetResponse, staffId: unknown) => SheetEntry[]) =>
  overlay<TimeSheetResponse>(TIME_SHEET_KEY, (sheet, [, , , staffId]) => ({ ...sheet, entries: change(sheet.entries, sheet, staffId) }));

const overlayEntry = (id: string, changed: Partial<SheetEntry>) =>
  overlayEntries((entries) => entries.map((entry) => (entry.id === id ? { ...entry, ...changed } : entry)));

interface EndCorrection {
  readonly entry: Pick<TimeEntry, 'id' | 'version'>;
  /** The job's number and title. */
  readonly job: string;
  readonly endedAt: string;
}

export const correctEnd = defineCommand<'timer.correct', EndCorrection>({
  ...common,
  call: 'timer.correct',
  toInput: ({ entry: { id, version }, endedAt }) => ({ id, version, ended_at: endedAt }),
  describe: ({ job }) => `Correct when your time on ${job} ended`,
  href: () => '/time-sheet',
  overlays: ({ entry: { id, version }, endedAt }) => [
    overlayEntry(id, { ended_at: endedAt, version: version + 1 }),
    overlayActiveTimer((shown) => (shown?.entry.id === id ? withEnd(shown, endedAt, version + 1) : shown)),
    overlay<Job>([...jobKeys.all, 'detail'], (shown) => ({ ...shown, timer: withPause(shown.timer, id, endedAt) })),
  ],
  success: 'Time corrected',
  failure: 'Failed to update timer: {message}',
});

function withEnd(timer: ActiveTimer, endedAt: string, version: number): ActiveTimer {
  const { entry } = timer;
  const measure = (end: string) => calculateElapsedSeconds([{ started_at: entry.started_at, ended_at: end }], end);
  const corrected = { ...timer, timer_status: 'paused' as const, entry: { ...entry, ended_at: endedAt, version } };
  if (entry.ended_at === null) return { ...withPause(corrected, entry.id, endedAt), entry: corrected.entry };
  return { ...corrected, finished_seconds: timer.finished_seconds + measure(endedAt) - measure(entry.ended_at) };
}

interface AddedTime {
  readonly id: string;
  readonly job: Pick<Job, 'id' | 'job_number' | 'title'>;
  readonly staff: { readonly id: string; readonly name: string };
  readonly addedBy: string;
  readonly started_at: string;
  readonly ended_at: string;
}

export const addTime = defineCommand<'timer.add', AddedTime>({
  ...common,
  call: 'timer.add',
  toInput: ({ id, job, staff, started_at, ended_at }) => ({ id, job_id: job.id, staff_id: staff.id, started_at, ended_at }),
  after: ({ job }) => [getJobLane(job.id)],
  describe: ({ job }) => `Add time to #${job.job_number} ${job.title}`,
  href: ({ job }) => `/jobs/${job.id}`,
  overlays: (added) => [
    overlayEntries((entries, { from, to }, staffId) => {
      const isIncluded = added.started_at < to && added.ended_at > from && (staffId === null || staffId === added.staff.id);
      return isIncluded && entries.every(({ id }) => id !== added.id) ? [...entries, toSheetEntry(added)] : entries;
    }),
    overlay<Job>(jobKeys.detail(added.job.id), ({ timer, ...shown }) => {
      const seconds = calculateElapsedSeconds([added], added.ended_at);
      return { ...shown, timer: { ...timer, finished_seconds: timer.finished_seconds + seconds } };
    }),
  ],
  cacheAnswer: cacheJob,
  success: 'Time added',
  failure: 'Failed to add time: {message}',
});

const toSheetEntry = ({ id, job, staff, addedBy, started_at, ended_at }: AddedTime): SheetEntry => ({
  id,
  job_id: job.id,
  job_number: job.job_number,
  job_title: job.title,
  staff_id: staff.id,
  staff_name: staff.name,
  started_at,
  ended_at,
  original_ended_at: null,
  corrected_at: null,
  corrected_by: null,
  added_by: addedBy,
  arrived_at: null,
  version: 1,
  is_allocated: false,
  hourly_rate: null,
});

const formatEntryJob = ({ job_number, job_title }: SheetEntry) => `#${job_number} ${job_title}`;

interface TimeChange {
  readonly entry: SheetEntry;
  /** The version that the person saw. */
  readonly version: number;
  readonly started_at: string;
  readonly ended_at: string;
}

export const changeTime = defineCommand<'timer.change', TimeChange>({
  ...common,
  call: 'timer.change',
  toInput: ({ entry: { id }, version, started_at, ended_at }) => ({ id, version, started_at, ended_at }),
  describe: ({ entry }) => `Change time on ${formatEntryJob(entry)}`,
  href: () => '/time-sheet',
  overlays: ({ entry, version, started_at, ended_at }) => [overlayEntry(entry.id, { started_at, ended_at, version: version + 1 })],
  success: 'Time changed',
  failure: 'Failed to change time: {message}',
});

export const removeTime = defineCommand<'timer.remove', SheetEntry>({
  ...common,
  call: 'timer.remove',
  toInput: ({ id }) => ({ id }),
  describe: (entry) => `Delete time on ${formatEntryJob(entry)}`,
  href: () => '/time-sheet',
  overlays: ({ id }) => [overlayEntries((entries) => entries.filter((entry) => entry.id !== id))],
  ignores: ['NOT_FOUND'],
  success: 'Time deleted',
  failure: (error) => `Failed to delete time: ${getFieldErrors(error)['started_at'] ?? getErrorMessage(error)}`,
});

/** The dialogs show invalid fields, time that overlaps and version conflicts. */
export const useCorrectEnd = () => useCommand(correctEnd, { inlineErrors: true });
export const useAddTime = () => useCommand(addTime, { inlineErrors: true });
export const useChangeTime = () => useCommand(changeTime, { inlineErrors: true });
export const useRemoveTime = () => useCommand(removeTime);
