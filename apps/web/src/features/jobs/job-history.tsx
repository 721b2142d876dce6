import type { Job } from '@callout/contract/jobs';

export function JobHistory({ job, className }: { job: Job; className: string }) {
  return <section className={className} aria-label={`History of ${job.title}`} />;
}
