import type { Job } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { getJobStatusPill } from './job-list-filter.ts';
import { cacheJob, getJobLane, jobKeys, type NamedJob } from './jobs.api.ts';

export interface JobStatusChange {
  readonly job: NamedJob;
  /** The status that the person saw. The server refuses the change if the job has another one. */
  readonly from: JobStatus;
  readonly status: JobStatus;
  readonly isUndo?: boolean;
}

/** Shows no toasts, because each screen has its own. The board adds its overlay. */
export const setJobStatus = defineCommand<'jobs.setStatus', JobStatusChange>({
  call: 'jobs.setStatus',
  toInput: ({ job: { id }, status, from, isUndo }) => ({ id, status, from, ...(isUndo && { is_undo: true }) }),
  lane: ({ job }) => getJobLane(job.id),
  describe: ({ job, status }) => `Move #${job.job_number} ${job.title} to ${getJobStatusPill(status).text}`,
  href: ({ job }) => `/jobs/${job.id}`,
  overlays: ({ job, status }) => [overlay<Job>(jobKeys.detail(job.id), (shown) => ({ ...shown, status }))],
  cacheAnswer: (queryClient, { clashes: _clashes, ...job }) => cacheJob(queryClient, job),
  invalidates: [jobKeys.all, ['timer']],
  isChained: true,
  // Payments can set a status other than the requested one.
  endsAsShown: (job, { status }) => job.status === status,
});
