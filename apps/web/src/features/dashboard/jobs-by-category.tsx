import { type CategoryCount, categoryColors, categoryShares, shareText } from '@callout/domain/jobs/category-share';
import { PERIODS, type Period } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryView } from '../../lib/query-view.tsx';
import { classes } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { categoriesOptions, type Today } from './dashboard.api.ts';
import { choicesOf, createdParam, PeriodChoice } from './period-choice.tsx';
import { NothingFound } from './recent-jobs.tsx';
import { Section } from './section.tsx';

const CHOICES = choicesOf(...PERIODS);

interface JobsByCategoryProps {
  day: Today;
  period: Period;
  onPeriod: (period: Period) => void;
}

/** What kind of work comes in: a bar to scale, and a legend that leads to the jobs. */
export function JobsByCategory({ day, period, onPeriod }: JobsByCategoryProps) {
  const query = useQuery(categoriesOptions(period, day));
  return (
    <Section
      title="Jobs by Category"
      className="mt-4 lg:mt-5"
      actions={<PeriodChoice label="Period of Jobs by Category" choices={CHOICES} value={period} onChange={onPeriod} />}
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
        isEmpty={({ rows }) => rows.length === 0}
        empty={<NothingFound />}
      >
        {({ rows }) => <Shares counts={rows} period={period} isOld={query.isPlaceholderData} />}
      </QueryView>
    </Section>
  );
}

function Shares({ counts, period, isOld }: { counts: readonly CategoryCount[]; period: Period; isOld: boolean }) {
  const shares = categoryShares(counts);
  const colors = categoryColors(counts.map(({ id }) => id));
  return (
    <div className={classes('p-4 transition-opacity duration-120 lg:p-5', isOld && 'opacity-60')}>
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
              search={{ category_id: share.id, group: 'not-canceled', ...createdParam(period) }}
              className="-mx-2 flex min-h-11 flex-wrap items-center gap-x-2.5 rounded-control px-2 text-base hover:bg-sunken lg:min-h-9"
            >
              <span aria-hidden="true" className="size-3 shrink-0 rounded-full" style={{ backgroundColor: colors.get(share.id) }} />
              <span className="min-w-0 flex-1 basis-24 [overflow-wrap:anywhere]">{share.name}</span>
              <span className="shrink-0 text-ink-2 tabular-nums">{shareText(share)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
