import type { Job } from '@callout/contract/jobs';

export function JobTimer({ job }: { job: Job }) {
  return <section aria-label={`Timer of ${job.title}`} />;
}
