import type { ContractOutputs } from '@callout/contract/contract';
import type { SortOrder } from '@callout/contract/fields';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { formatCount, isCapped } from '@callout/domain/text/count-format';
import { formatDate } from '@callout/domain/time/date-format';
import type { RollingPeriod } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDownUp } from 'lucide-react';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { AssignedStaff, formatCategoryNames, JobStatusPill, NOT_SCHEDULED_LABEL } from '../jobs/job-labels.tsx';
import { recentJobsQueryOptions, type TodayInZone } from './dashboard.api.ts';
import { DashboardSection } from './dashboard-section.tsx';
import { createPeriodChoices, PeriodSelect, toJobListSearch } from './period-select.tsx';

export type RecentJobsPeriod = Exclude<RollingPeriod, 'lifetime'>;
type RecentJob = ContractOutputs['dashboard']['recentJobs']['rows'][number];

const PERIOD_CHOICES = createPeriodChoices('day', 'week', 'month');

interface RecentJobsProps {
  day: TodayInZone;
  period: RecentJobsPeriod;
  onPeriodChange: (period: RecentJobsPeriod) => void;
  order: SortOrder;
  onOrderChange: (order: SortOrder) => void;
}

/** Lists the jobs created in a period, sorted by booking date. */
export function RecentJobs({ day, period, onPeriodChange, order, onOrderChange }: RecentJobsProps) {
  const query = useQuery(recentJobsQueryOptions(period, order, day));
  const isNewestFirst = order === 'desc';
  return (
    <DashboardSection
      title="Recent Jobs"
      className="mt-4 lg:mt-5"
      actions={
        <>
          <Button onClick={() => onOrderChange(isNewestFirst ? 'asc' : 'desc')}>
            <ArrowDownUp aria-hidden="true" />
            {isNewestFirst ? 'Newest First' : 'Oldest First'}
          </Button>
          <PeriodSelect label="Period for Recent Jobs" choices={PERIOD_CHOICES} value={period} onChange={onPeriodChange} />
        </>
      }
    >
      <QueryView
        query={query}
        skeleton={<SkeletonRows label="Loading recent jobs" count={5} className="h-21 lg:h-14" />}
        isEmpty={({ rows }) => rows.length === 0}
        empty={<NoJobsFound />}
      >
        {({ rows, total }) => (
          <>
            <ul
              aria-label="Recent Jobs"
              className={classNames('divide-y transition-opacity duration-120', query.isPlaceholderData && 'opacity-60')}
            >
              {rows.map((job) => (
                <RecentJobRow key={job.id} job={job} zone={day.zone} />
              ))}
            </ul>
            {total > rows.length && (
              <div className="border-t p-2">
                <LinkButton to="/jobs" search={toJobListSearch(period)} tone="accent">
                  {isCapped(total) ? 'See all jobs' : `All ${formatCount(total)} jobs`}
                </LinkButton>
              </div>
            )}
          </>
        )}
      </QueryView>
    </DashboardSection>
  );
}

export function NoJobsFound() {
  return <p className="px-4 py-8 text-center text-base text-ink-2 lg:px-5">No jobs found for the selected period</p>;
}

function RecentJobRow({ job, zone }: { job: RecentJob; zone: string }) {
  const { id, title, job_number: number, status, booking_date: booked, customer, staff, categories } = job;
  return (
    <li>
      <Link
        to="/jobs/$id"
        params={{ id }}
        className="flex flex-wrap items-center gap-x-5 gap-y-0.5 px-4 py-2.5 text-base text-ink-2 -outline-offset-2 hover:bg-sunken lg:grid lg:min-h-14 lg:grid-cols-[minmax(0,4fr)_minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)_7rem_6.5rem] lg:px-5"
      >
        <span className="min-w-0 flex-1 basis-40">
          <span className="block font-medium text-ink [overflow-wrap:anywhere]">{title}</span>
          <span className="block text-sm text-ink-3 tabular-nums">#{number}</span>
        </span>
        <span className="lg:order-last">
          <JobStatusPill status={status} />
        </span>
        <span className="min-w-0 basis-full [overflow-wrap:anywhere]">{formatCustomerName(customer)}</span>
        <span className="min-w-0 flex-1 basis-32 max-lg:text-sm">
          <AssignedStaff staff={staff} wraps />
        </span>
        <span className="min-w-0 basis-full [overflow-wrap:anywhere] max-lg:order-last max-lg:text-sm max-lg:text-ink-3">
          {formatCategoryNames(categories)}
        </span>
        <span className="tabular-nums max-lg:text-sm">{booked ? formatDate(booked, zone) : NOT_SCHEDULED_LABEL}</span>
      </Link>
    </li>
  );
}
