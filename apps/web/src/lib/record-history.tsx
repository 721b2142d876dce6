import type { RecordEvent } from '@callout/contract/comments';
import { formatDate, formatDateTime, formatDay, formatTime } from '@callout/domain/time/date-format';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { getReadErrorMessage } from './error-messages.ts';
import { getUniqueRows } from './query-cache.ts';
import { QueryView } from './query-view.tsx';
import { useDisplayTimeZone } from './time-zone.ts';

const INITIAL_EVENT_COUNT = 5;

interface RecordHistoryProps {
  query: UseInfiniteQueryResult<InfiniteData<{ rows: RecordEvent[] }>>;
  /** Returns the rest of a sentence that starts with the person's name, e.g. 'changed the title'. */
  formatEvent: (event: RecordEvent) => string;
  className?: string;
}

/** Lists who changed what and when, newest first. */
export function RecordHistory({ query, formatEvent, className }: RecordHistoryProps) {
  const [isExpanded, setExpanded] = useState(false);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classNames('rounded-card bg-surface shadow-card', className)}>
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
          const events = getUniqueRows(pages);
          const now = new Date(query.dataUpdatedAt).toISOString();
          return (
            <>
              <HistoryEvents events={isExpanded ? events : events.slice(0, INITIAL_EVENT_COUNT)} now={now} formatEvent={formatEvent} />
              {!isExpanded && events.length > INITIAL_EVENT_COUNT && <ShowMoreButton label="Show all" onClick={() => setExpanded(true)} />}
              {isExpanded && query.isFetchNextPageError && (
                <p role="alert" className="px-4 pb-2 text-base text-danger-ink lg:px-5">
                  {getReadErrorMessage(query.error)}
                </p>
              )}
              {isExpanded && query.hasNextPage && (
                <ShowMoreButton label="Show older" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} />
              )}
            </>
          );
        }}
      </QueryView>
    </section>
  );
}

interface HistoryEventsProps extends Pick<RecordHistoryProps, 'formatEvent'> {
  events: readonly RecordEvent[];
  now: string;
}

function HistoryEvents({ events, now, formatEvent }: HistoryEventsProps) {
  const zone = useDisplayTimeZone();
  return (
    <ol className="px-4 pb-3 lg:px-5">
      {events.map((event) => (
        <li key={event.id} className="py-1.5 text-base sm:flex sm:gap-4">
          <time dateTime={event.at} className="block w-36 shrink-0 text-sm/5 text-ink-3 tabular-nums">
            {formatEventTime(event.at, now, zone)}
          </time>
          <span className="min-w-0 [overflow-wrap:anywhere] text-ink-2">
            <span className="font-medium text-ink">{event.who}</span> {formatEvent(event)}
          </span>
        </li>
      ))}
    </ol>
  );
}

function ShowMoreButton({ label, busy = false, onClick }: { label: string; busy?: boolean; onClick: () => void }) {
  return (
    <div className="border-t px-2 py-1 lg:px-3">
      <Button tone="quiet" busy={busy} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}

/** Formats a time as 'Today 9:04 AM' or 'Nov 16 4:15 PM', with the year if it isn't the current one. */
export function formatEventTime(at: string, now: string, zone: string): string {
  const day = formatDate(at, zone);
  if (day === formatDate(now, zone)) return `Today ${formatTime(at, zone)}`;
  return isSameYear(day, formatDate(now, zone)) ? `${formatDay(at, zone)} ${formatTime(at, zone)}` : formatDateTime(at, zone);
}

const isSameYear = (one: string, other: string) => one.slice(-4) === other.slice(-4);
