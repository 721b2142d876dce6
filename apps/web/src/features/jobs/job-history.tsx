import type { Job } from '@callout/contract/jobs';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RecordHistory } from '../../lib/record-history.tsx';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { formatJobEvent } from './job-event-format.ts';
import { jobHistoryQueryOptions } from './jobs.api.ts';

export function JobHistory({ job, className }: { job: Job; className: string }) {
  const { currency } = job;
  const zone = useDisplayTimeZone();
  const query = useInfiniteQuery(jobHistoryQueryOptions(job.id));
  return <RecordHistory query={query} formatEvent={(event) => formatJobEvent(event, { zone, currency })} className={className} />;
}
