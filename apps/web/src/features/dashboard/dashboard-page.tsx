import type { SortOrder } from '@callout/contract/fields';
import { formatGreeting } from '@callout/domain/time/greeting';
import { toWallTime } from '@callout/domain/time/wall-time';
import { type RollingPeriod, toLocalDate } from '@callout/domain/time/zoned-time';
import { BriefcaseBusiness, FileText, ListTodo, UserPlus } from 'lucide-react';
import { startTransition, useDeferredValue, useEffect, useState } from 'react';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { useCurrentMinute } from '../../lib/use-today.ts';
import { classNames } from '../../ui/class-names.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useMe } from '../company/company.api.ts';
import { DashboardMoney } from './dashboard-money.tsx';
import { DashboardTiles } from './dashboard-tiles.tsx';
import { GetStartedCard } from './get-started-card.tsx';
import { JobsByCategory } from './jobs-by-category.tsx';
import { RecentJobs, type RecentJobsPeriod } from './recent-jobs.tsx';
import { TodaysJobs, useTodaysBookings } from './todays-jobs.tsx';

/** URL parameters. Values equal to the default are omitted. */
export interface DashboardSearch {
  /** Period of the Jobs by Category section. */
  categories?: RollingPeriod | undefined;
  /** Period of the Recent Jobs section. */
  jobs?: RecentJobsPeriod | undefined;
  order?: SortOrder | undefined;
}

interface DashboardPageProps {
  search: DashboardSearch;
  onSearchChange: (search: DashboardSearch) => void;
}

/** Two groups are revealed one after the other: the tiles with the categories, then the recent jobs. */
const BELOW_FOLD_SECTIONS = 2;

const DEFAULTS = { categories: 'week', jobs: 'week', order: 'desc' } as const;

const withoutDefault = <Value extends string>(value: Value, defaultValue: string) => (value === defaultValue ? undefined : value);

export function DashboardPage({ search, onSearchChange }: DashboardPageProps) {
  const { user, start_card_dismissed: isDismissed } = useMe();
  const isStartCardOpen = useCan('company.edit') && !isDismissed;
  const canViewMoney = useCan('payments.manage');
  const zone = useDisplayTimeZone();
  const now = useCurrentMinute();
  const day = { today: toLocalDate(now, zone), zone };
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const bookings = useTodaysBookings(user.staff_id, day);
  // Today's list has an unknown height until it loads, so hide everything below it. Deferred, to appear together with the list itself.
  const isLoadingDay = useDeferredValue(bookings.isFetching && bookings.isPending && bookings.failureCount === 0);
  // Renders sections below the fold after the first paint, so that the visible part appears sooner.
  const shouldRenderBelowFold = useDeferredValue(true, false);
  const revealedSections = useProgressiveReveal(isLoadingDay ? 0 : BELOW_FOLD_SECTIONS);
  const { categories = DEFAULTS.categories, jobs = DEFAULTS.jobs, order = DEFAULTS.order } = search;
  return (
    <>
      <PageHeader
        title={formatGreeting(toWallTime(now, zone).hour, user)}
        subtitle={formatToday(now, zone)}
        note={<TimeZoneNote />}
        actions={isDesktop ? <QuickActions hasNewJob /> : <NewJobLink />}
      />
      {isStartCardOpen && <GetStartedCard />}
      <div
        className={classNames(
          'mt-4 grid items-start gap-4 lg:mt-5 lg:gap-5',
          canViewMoney && 'lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_22rem]',
        )}
      >
        {user.staff_id !== null && <TodaysJobs staffId={user.staff_id} day={day} query={bookings} />}
        {(!isDesktop || canViewMoney) && (
          <div hidden={isLoadingDay && !isDesktop} className="min-w-0 space-y-4">
            {!isDesktop && <QuickActions hasNewJob={false} />}
            {canViewMoney && <DashboardMoney />}
          </div>
        )}
      </div>
      {shouldRenderBelowFold && (
        <>
          <div hidden={revealedSections < 1}>
            <DashboardTiles />
            <JobsByCategory
              day={day}
              period={categories}
              onPeriodChange={(period) => onSearchChange({ ...search, categories: withoutDefault(period, DEFAULTS.categories) })}
            />
          </div>
          <div hidden={revealedSections < BELOW_FOLD_SECTIONS}>
            <RecentJobs
              day={day}
              period={jobs}
              onPeriodChange={(period) => onSearchChange({ ...search, jobs: withoutDefault(period, DEFAULTS.jobs) })}
              order={order}
              onOrderChange={(chosen) => onSearchChange({ ...search, order: withoutDefault(chosen, DEFAULTS.order) })}
            />
          </div>
        </>
      )}
    </>
  );
}

/** Reveals one section after another, so that a slow phone stays responsive. Sections that are ready at first render appear at once. */
function useProgressiveReveal(target: number): number {
  const [revealed, setRevealed] = useState(target);
  useEffect(() => {
    if (revealed >= target) return undefined;
    const timer = setTimeout(() => startTransition(() => setRevealed(revealed + 1)));
    return () => clearTimeout(timer);
  }, [revealed, target]);
  return Math.min(revealed, target);
}

/** On phones, New Job is in the page's header: below a few bookings, the bottom bar would hide it. */
function QuickActions({ hasNewJob }: { hasNewJob: boolean }) {
  const canEditQuotes = useCan('quotes.edit');
  return (
    <nav aria-label="Quick actions" className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-2 lg:flex lg:flex-wrap">
      <LinkButton to="/customers/new">
        <UserPlus aria-hidden="true" />
        New Customer
      </LinkButton>
      {canEditQuotes && (
        <LinkButton to="/quotes/new">
          <FileText aria-hidden="true" />
          New Quote
        </LinkButton>
      )}
      {hasNewJob && <NewJobLink />}
      <LinkButton to="/todo" search={{ add: 'true' }} className={canEditQuotes && !hasNewJob ? 'max-sm:col-span-full' : undefined}>
        <ListTodo aria-hidden="true" />
        New Task
      </LinkButton>
    </nav>
  );
}

const NewJobLink = () => (
  <LinkButton to="/jobs/new" tone="primary">
    <BriefcaseBusiness aria-hidden="true" className="max-lg:hidden" />
    New Job
  </LinkButton>
);

/** Formats the date in a time zone as 'Sunday, November 15'. */
export function formatToday(now: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' }).format(new Date(now));
}
