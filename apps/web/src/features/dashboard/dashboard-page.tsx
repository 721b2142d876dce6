import type { SortOrder } from '@callout/contract/fields';
import { greeting } from '@callout/domain/time/greeting';
import { wallTime } from '@callout/domain/time/wall-time';
import { localDate, type Period } from '@callout/domain/time/zoned-time';
import { BriefcaseBusiness, FileText, ListTodo, UserPlus } from 'lucide-react';
import { startTransition, useDeferredValue, useEffect, useState } from 'react';
import { browserTimeZone, timeZoneText, useShownTimeZone } from '../../lib/time-zone.ts';
import { useMinute } from '../../lib/use-today.ts';
import { classes } from '../../ui/classes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useMe } from '../company/company.api.ts';
import { DashboardMoney } from './dashboard-money.tsx';
import { DashboardTiles } from './dashboard-tiles.tsx';
import { JobsByCategory } from './jobs-by-category.tsx';
import { RecentJobs, type RecentPeriod } from './recent-jobs.tsx';
import { StartCard } from './start-card.tsx';
import { TodaysJobs, useTodaysBookings } from './todays-jobs.tsx';

/** What is chosen on the page, in its URL; the defaults are left out. */
export interface DashboardSearch {
  /** Of Jobs by Category. */
  categories?: Period | undefined;
  /** Of Recent Jobs. */
  jobs?: RecentPeriod | undefined;
  order?: SortOrder | undefined;
}

interface DashboardPageProps {
  search: DashboardSearch;
  onSearch: (search: DashboardSearch) => void;
}

/** The tiles with the categories, and the recent jobs. */
const PARTS_BELOW = 2;

const DEFAULTS = { categories: 'week', jobs: 'week', order: 'desc' } as const;

const withoutDefault = <Value extends string>(value: Value, standard: string) => (value === standard ? undefined : value);

export function DashboardPage({ search, onSearch }: DashboardPageProps) {
  const { user, start_card_dismissed: isDismissed } = useMe();
  const isStarting = useCan('company.edit') && !isDismissed;
  const seesMoney = useCan('payments.manage');
  const zone = useShownTimeZone();
  const now = useMinute();
  const day = { today: localDate(now, zone), zone };
  const isDesk = useMediaQuery(DESK_UP);
  const bookings = useTodaysBookings(user.staff_id, day);
  // Nobody knows how long the day is: what stands below it would jump. It shows together with the day, which QueryView defers, too.
  const isWaiting = useDeferredValue(bookings.isFetching && bookings.isPending && bookings.failureCount === 0);
  // What is out of sight at first is rendered after the rest, in slices of its own.
  const showsRest = useDeferredValue(true, false);
  const shownParts = useShownParts(isWaiting ? 0 : PARTS_BELOW);
  const { categories = DEFAULTS.categories, jobs = DEFAULTS.jobs, order = DEFAULTS.order } = search;
  const elsewhere = zone === browserTimeZone() ? '' : ` · ${timeZoneText(zone)}`;
  return (
    <>
      <PageHeader
        title={greeting(wallTime(now, zone).hour, user)}
        subtitle={`${formatToday(new Date(now), zone)}${elsewhere}`}
        actions={isDesk && <QuickActions />}
      />
      {isStarting && <StartCard />}
      <div
        className={classes(
          'mt-4 grid items-start gap-4 lg:mt-5 lg:gap-5',
          seesMoney && 'lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_22rem]',
        )}
      >
        {user.staff_id !== null && <TodaysJobs staffId={user.staff_id} day={day} query={bookings} />}
        {(!isDesk || seesMoney) && (
          <div hidden={isWaiting && !isDesk} className="min-w-0 space-y-4">
            {!isDesk && <QuickActions />}
            {seesMoney && <DashboardMoney />}
          </div>
        )}
      </div>
      {showsRest && (
        <>
          <div hidden={shownParts < 1}>
            <DashboardTiles />
            <JobsByCategory
              day={day}
              period={categories}
              onPeriod={(period) => onSearch({ ...search, categories: withoutDefault(period, DEFAULTS.categories) })}
            />
          </div>
          <div hidden={shownParts < PARTS_BELOW}>
            <RecentJobs
              day={day}
              period={jobs}
              onPeriod={(period) => onSearch({ ...search, jobs: withoutDefault(period, DEFAULTS.jobs) })}
              order={order}
              onOrder={(chosen) => onSearch({ ...search, order: withoutDefault(chosen, DEFAULTS.order) })}
            />
          </div>
        </>
      )}
    </>
  );
}

/** One more at a time, so that a slow phone answers in between; what is already known at first shows at once. */
function useShownParts(wanted: number): number {
  const [shown, setShown] = useState(wanted);
  useEffect(() => {
    if (shown >= wanted) return undefined;
    const timer = setTimeout(() => startTransition(() => setShown(shown + 1)));
    return () => clearTimeout(timer);
  }, [shown, wanted]);
  return Math.min(shown, wanted);
}

function QuickActions() {
  const mayQuote = useCan('quotes.edit');
  return (
    <nav aria-label="Quick actions" className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-2 lg:flex lg:flex-wrap">
      <LinkButton to="/customers/new">
        <UserPlus aria-hidden="true" />
        New Customer
      </LinkButton>
      {mayQuote && (
        <LinkButton to="/quotes/new">
          <FileText aria-hidden="true" />
          New Quote
        </LinkButton>
      )}
      <LinkButton to="/jobs/new" tone="primary">
        <BriefcaseBusiness aria-hidden="true" />
        New Job
      </LinkButton>
      <LinkButton to="/todo" search={{ add: 'true' }}>
        <ListTodo aria-hidden="true" />
        New Task
      </LinkButton>
    </nav>
  );
}

/** 'Sunday, November 15' in a time zone, or in the browser's. */
export function formatToday(now: Date, timeZone?: string): string {
  return now.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', ...(timeZone && { timeZone }) });
}
