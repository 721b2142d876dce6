import type { Task } from '@callout/contract/tasks';
import type { JobStatus } from '@callout/domain/jobs/job';
import type { createJob } from '../../apps/web/src/features/jobs/jobs.api.ts';
import type { addItems } from '../../apps/web/src/features/jobs/jobs-items.api.ts';
import type { setJobStatus } from '../../apps/web/src/features/jobs/jobs-status.api.ts';
import type { createTask } from '../../apps/web/src/features/tasks/tasks.api.ts';
import type { startTimer } from '../../apps/web/src/features/timer/timer-commands.api.ts';
import type { RandomGenerator } from '../../bench/random.ts';
import type { Press, Variables } from './operations.ts';

export interface KnownJob {
  readonly id: string;
  readonly job_number: string;
  readonly title: string;
  /** As the browser shows it. */
  readonly status: JobStatus;
  readonly items: readonly { readonly id: string; readonly name: string }[];
}

/** People work on a few jobs at a time, so that they meet on the same ones. */
const MAX_JOBS = 12;
const MAX_TASKS = 10;

/** What one browser has made or seen, which is all that its person can work on. */
export class KnownRecords {
  jobs: readonly KnownJob[] = [];
  tasks: readonly Task[] = [];
  /** The job of the timer that this browser shows as running. */
  timedJob: KnownJob | undefined;

  pickJob(random: RandomGenerator): KnownJob | undefined {
    return this.jobs.length > 0 ? random.pick(this.jobs) : undefined;
  }

  /** Takes note of a command that this browser has made, or that another one has made and the server has accepted. */
  add({ call, variables }: Press): void {
    switch (call) {
      case 'jobs.create': {
        const { id, job_number, title, status } = (variables as Variables<typeof createJob>).record;
        const job: KnownJob = { id, job_number, title, status, items: [] };
        this.jobs = [...this.jobs.filter((other) => other.id !== id), job].slice(-MAX_JOBS);
        return;
      }
      case 'jobs.addItems': {
        const { job, items } = variables as Variables<typeof addItems>;
        const added = items.map(({ id, name }) => ({ id, name }));
        return this.#changeJob(job.id, (known) =>
          known.items.some(({ id }) => id === added[0]?.id) ? known : { ...known, items: [...known.items, ...added] },
        );
      }
      case 'jobs.setStatus': {
        const { job, status } = variables as Variables<typeof setJobStatus>;
        return this.#changeJob(job.id, (known) => ({ ...known, status }));
      }
      case 'tasks.create': {
        const { record } = variables as Variables<typeof createTask>;
        if (!this.tasks.some(({ id }) => id === record.id)) this.tasks = [...this.tasks, record].slice(-MAX_TASKS);
        return;
      }
      case 'timer.start':
        this.timedJob = this.jobs.find(({ id }) => id === (variables as Variables<typeof startTimer>).job.id);
        return;
      case 'timer.pause':
        this.timedJob = undefined;
    }
  }

  /** Takes note of the statuses that the server has. */
  readStatuses(statuses: ReadonlyMap<string, JobStatus>): void {
    this.jobs = this.jobs.map((job) => ({ ...job, status: statuses.get(job.id) ?? job.status }));
  }

  #changeJob(id: string, change: (job: KnownJob) => KnownJob): void {
    this.jobs = this.jobs.map((job) => (job.id === id ? change(job) : job));
  }
}
