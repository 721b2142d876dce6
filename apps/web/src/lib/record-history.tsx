import type { RecordEvent } from '@callout/contract/comments';
import { formatDate, formatDateTime, formatDay, formatTime } from '@callout/domain/time/date-format';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { centralMessage } from './error-messages.ts';
import { uniqueRows } from './query-cache.ts';
import { QueryView } from './query-view.tsx';
import { companyTimeZone } from './time-zone.ts';

const FIRST = 5;

interface RecordHistoryProps {
  query: UseInfiniteQueryResult<InfiniteData<{ rows: RecordEvent[] }>>;
  /** What somebody did, as the rest of a sentence that starts with their name. */
  textOf: (event: RecordEvent) => string;
  className?: string;
}

/** Who changed what when, the newest first. */
export function RecordHistory({ query, textOf, className }: RecordHistoryProps) {
  const [showsAll, setShowsAll] = useState(false);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes('rounded-card bg-surface shadow-card', className)}>
      <h2 id={heading} className="px-4 pt-4 pb-1 text-lg font-semibold lg:px-5">
        History
      </h2>
      <QueryView
        query={query}
        skeleton={<SkeletonRows label="Loading history" count={3} className="h-9" />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<p className="px-4 pb-4 text-base text-ink-2 lg:px-5">No changes yet</p>}
      >
        {({ pages }) => {
          const events = uniqueRows(pages);
          const now = new Date(query.dataUpdatedAt).toISOString();
          return (
            <>
              <Events events={showsAll ? events : events.slice(0, FIRST)} now={now} textOf={textOf} />
              {!showsAll && events.length > FIRST && <More label="Show all" onClick={() => setShowsAll(true)} />}
              {showsAll && query.isFetchNextPageError && (
                <p role="alert" className="px-4 pb-2 text-base text-danger-ink lg:px-5">
                  {centralMessage(query.error)}
                </p>
              )}
              {showsAll && query.hasNextPage && (
                <More label="Show older" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} />
              )}
            </>
          );
        }}
      </QueryView>
    </section>
  );
}

interface EventsProps extends Pick<RecordHistoryProps, 'textOf'> {
  events: readonly RecordEvent[];
  now: string;
}

function Events({ events, now, textOf }: EventsProps) {
  const zone = companyTimeZone();
  return (
    <ol className="px-4 pb-3 lg:px-5">
      {events.map((event) => (
        <li key={event.id} className="py-1.5 text-base sm:flex sm:gap-4">
          <time dateTime={event.at} className="block w-36 shrink-0 text-sm/5 text-ink-3 tabular-nums">
            {eventTime(event.at, now, zone)}
          </time>
          <span className="min-w-0 [overflow-wrap:anywhere] text-ink-2">
            <span className="font-medium text-ink">{event.who}</span> {textOf(event)}
          </span>
        </li>
      ))}
    </ol>
  );
}

function More({ label, busy = false, onClick }: { label: string; busy?: boolean; onClick: () => void }) {
  return (
    <div className="border-t px-2 py-1 lg:px-3">
      <Button tone="quiet" busy={busy} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}

/** 'Today 9:04 AM', 'Nov 16 4:15 PM', with the year when it is another one. */
export function eventTime(at: string, now: string, zone: string): string {
  const day = formatDate(at, zone);
  if (day === formatDate(now, zone)) return `Today ${formatTime(at, zone)}`;
  return isSameYear(day, formatDate(now, zone)) ? `${formatDay(at, zone)} ${formatTime(at, zone)}` : formatDateTime(at, zone);
}

const isSameYear = (one: string, other: string) => one.slice(-4) === other.slice(-4);
