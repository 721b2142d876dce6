import {
  assignCategoryColors,
  type CategoryJobCount,
  calculateCategoryPercentages,
  formatCategoryPercentage,
} from '@callout/domain/jobs/category-percentage';
import { pluralize } from '@callout/domain/text/count-format';
import { ROLLING_PERIODS, type RollingPeriod } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryView } from '../../lib/query-view.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { jobsByCategoryQueryOptions, type TodayInZone } from './dashboard.api.ts';
import { DashboardSection } from './dashboard-section.tsx';
import { createPeriodChoices, PeriodSelect, toJobListSearch } from './period-select.tsx';
import { NoJobsFound } from './recent-jobs.tsx';

const PERIOD_CHOICES = createPeriodChoices(...ROLLING_PERIODS);

interface JobsByCategoryProps {
  day: TodayInZone;
  period: RollingPeriod;
  onPeriodChange: (period: RollingPeriod) => void;
}

/** Shows each category's share of the jobs as a bar, with a legend that links to the category's jobs. */
export function JobsByCategory({ day, period, onPeriodChange }: JobsByCategoryProps) {
  const query = useQuery(jobsByCategoryQueryOptions(period, day));
  return (
    <DashboardSection
      title="Jobs by Category"
      className="mt-4 lg:mt-5"
      actions={<PeriodSelect label="Period for Jobs by Category" choices={PERIOD_CHOICES} value={period} onChange={onPeriodChange} />}
    >
      <QueryView
        query={query}
        skeleton={
          <div role="status" className="p-4 lg:p-5">
            <span className="sr-only">Loading jobs by category</span>
            <Skeleton className="h-4 w-full rounded-full" />
            <div className="mt-3 flex h-44 items-center sm:h-22 lg:h-18">
              <Skeleton className="h-5 w-1/2" />
            </div>
          </div>
        }
        isEmpty={({ rows, uncategorized }) => rows.length === 0 && !uncategorized}
        empty={<NoJobsFound />}
      >
        {({ rows, uncategorized }) => (
          <>
            {rows.length > 0 && <CategoryShares counts={rows} period={period} isOutdated={query.isPlaceholderData} />}
            {uncategorized > 0 && <UncategorizedJobs count={uncategorized} isAlone={rows.length === 0} />}
          </>
        )}
      </QueryView>
    </DashboardSection>
  );
}

function CategoryShares({
  counts,
  period,
  isOutdated,
}: {
  counts: readonly CategoryJobCount[];
  period: RollingPeriod;
  isOutdated: boolean;
}) {
  const shares = calculateCategoryPercentages(counts);
  const colors = assignCategoryColors(counts.map(({ id }) => id));
  return (
    <div className={classNames('p-4 transition-opacity duration-120 lg:p-5', isOutdated && 'opacity-60')}>
      <div aria-hidden="true" className="flex h-4 gap-0.5 overflow-clip rounded-full">
        {shares.map(({ id, jobs }) => (
          <span key={id} data-share={jobs} className="min-w-1" style={{ flexGrow: jobs, backgroundColor: colors.get(id) }} />
        ))}
      </div>
      <ul aria-label="Categories" className="mt-3 grid gap-x-5 sm:grid-cols-2 xl:grid-cols-3">
        {shares.map((share) => (
          <li key={share.id}>
            <Link
              to="/jobs"
              search={{ category_id: share.id, group: 'not-canceled', ...toJobListSearch(period) }}
              className="-mx-2 flex min-h-11 flex-wrap items-center gap-x-2.5 rounded-control px-2 text-base hover:bg-sunken lg:min-h-9"
            >
              <span aria-hidden="true" className="size-3 shrink-0 rounded-full" style={{ backgroundColor: colors.get(share.id) }} />
              <span className="min-w-0 flex-1 basis-24 [overflow-wrap:anywhere]">{share.name}</span>
              <span className="shrink-0 text-ink-2 tabular-nums">{formatCategoryPercentage(share)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Jobs without a category are in no share, so that the percentages still add up to 100. */
function UncategorizedJobs({ count, isAlone }: { count: number; isAlone: boolean }) {
  return (
    <p className={classNames('px-4 text-base text-ink-2 lg:px-5', isAlone ? 'py-8 text-center' : 'pb-4 lg:pb-5')}>
      {`Uncategorized: ${pluralize(count, 'job')}`}
    </p>
  );
}
