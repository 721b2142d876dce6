import type { Job } from '@callout/contract/jobs';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RecordHistory } from '../../lib/record-history.tsx';
import { companyTimeZone } from '../../lib/time-zone.ts';
import { useProfile } from '../company/company.api.ts';
import { eventText } from './job-history-text.ts';
import { jobHistoryOptions } from './jobs.api.ts';

/** Read after the job itself. */
export function JobHistory({ job, className }: { job: Job; className: string }) {
  const currency = useProfile()?.currency;
  const zone = companyTimeZone();
  const query = useInfiniteQuery(jobHistoryOptions(job.id));
  return <RecordHistory query={query} textOf={(event) => eventText(event, { zone, currency })} className={className} />;
}
