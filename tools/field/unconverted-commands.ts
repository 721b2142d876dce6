import { cacheJob, getJobLane, jobKeys } from '../../apps/web/src/features/jobs/jobs.api.ts';
import { buildUploadLane } from '../../apps/web/src/lib/commands/command-queue.ts';
import { type CallInput, type CallName, defineCommand } from '../../apps/web/src/lib/commands/define-command.ts';
import { UPLOAD_CALL, type UploadInput } from '../../apps/web/src/lib/commands/outbox.ts';

/**
 * Changes that the page doesn't make as commands yet, with the lanes that they will have. When a feature has converted one, delete it here: the
 * page's own definition is loaded, too.
 */

const inLane = <Name extends CallName>(
  call: Name,
  lane: (input: CallInput<Name>) => string,
  after?: (input: CallInput<Name>) => readonly string[],
) => defineCommand<Name>({ call, lane, ...(after && { after }), describe: () => call });

/** Changes of a job, whose answer is the job. */
const onJob = <Name extends 'jobs.create' | 'jobs.addItems' | 'jobs.setStatus'>(
  call: Name,
  getJobId: (input: CallInput<Name>) => string,
  after?: (input: CallInput<Name>) => readonly string[],
) =>
  defineCommand<Name>({
    call,
    lane: (input) => getJobLane(getJobId(input)),
    ...(after && { after }),
    describe: () => call,
    cacheAnswer: cacheJob,
    invalidates: [jobKeys.all],
  });

export const unconvertedCommands = [
  inLane('customers.create', ({ id }) => `customer:${id}`),
  onJob(
    'jobs.create',
    ({ id }) => id,
    ({ customer_id }) => [`customer:${customer_id}`],
  ),
  onJob('jobs.addItems', ({ job_id }) => job_id),
  onJob('jobs.setStatus', ({ id }) => id),
  inLane(
    'comments.add',
    ({ job_id }) => `comments:${job_id}`,
    ({ job_id, file_ids = [] }) => [getJobLane(job_id), ...file_ids.map(buildUploadLane)],
  ),
  inLane('tasks.create', ({ id }) => `task:${id}`),
  inLane('tasks.setStatus', ({ id }) => `task:${id}`),
  inLane('tasks.remove', ({ id }) => `task:${id}`),
  inLane('timer.correct', () => 'timer'),
  defineCommand<CallName, UploadInput>({
    call: UPLOAD_CALL as CallName,
    lane: ({ id }) => buildUploadLane(id),
    describe: ({ name }) => `Upload ${name}`,
  }),
];
