import type { Job } from '@callout/contract/jobs';

export function JobComments({ job }: { job: Job }) {
  return <section aria-label={`Comments on ${job.title}`} />;
}
