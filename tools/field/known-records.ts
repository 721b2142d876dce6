import type { RandomGenerator } from '../../bench/random.ts';
import type { Press } from './operations.ts';

export interface KnownJob {
  readonly id: string;
  readonly job_number: string;
  readonly title: string;
  readonly items: readonly { readonly id: string; readonly name: string }[];
}

/** People work on a few jobs at a time, so that they meet on the same ones. */
const MAX_JOBS = 12;
const MAX_TASKS = 10;

/** What one browser has made or seen, which is all that its person can work on. */
export class KnownRecords {
  jobs: readonly KnownJob[] = [];
  tasks: readonly string[] = [];
  /** The job of the timer that this browser shows as running. */
  timedJob: KnownJob | undefined;

  pickJob(random: RandomGenerator): KnownJob | undefined {
    return this.jobs.length > 0 ? random.pick(this.jobs) : undefined;
  }

  /** Takes note of a command that this browser has made, or that another one has made and the server has accepted. */
  add({ call, variables }: Press): void {
    const input = variables as Record<string, never>;
    if (call === 'jobs.create') {
      const job: KnownJob = { id: input['id'] ?? '', job_number: 'New', title: input['title'] ?? '', items: [] };
      this.jobs = [...this.jobs.filter(({ id }) => id !== job.id), job].slice(-MAX_JOBS);
    }
    if (call === 'jobs.addItems') {
      const { job_id, lines } = variables as { job_id: string; lines: { id: string; name: string }[] };
      const added = lines.map(({ id, name }) => ({ id, name }));
      this.jobs = this.jobs.map((job) =>
        job.id === job_id && !job.items.some(({ id }) => id === added[0]?.id) ? { ...job, items: [...job.items, ...added] } : job,
      );
    }
    if (call === 'tasks.create' && !this.tasks.includes(input['id'] ?? ''))
      this.tasks = [...this.tasks, input['id'] ?? ''].slice(-MAX_TASKS);
    if (call === 'timer.start') this.timedJob = input['job'];
    if (call === 'timer.pause') this.timedJob = undefined;
  }
}
