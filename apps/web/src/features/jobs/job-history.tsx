import type { RecordEvent } from '@callout/contract/comments';
import type { Job } from '@callout/contract/jobs';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { uniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { companyTimeZone } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useProfile } from '../company/company.api.ts';
import { eventText, eventTime } from './job-history-text.ts';
import { jobHistoryOptions } from './jobs.api.ts';

const FIRST = 5;

/** Who changed what when, the newest first. Read after the job itself. */
export function JobHistory({ job, className }: { job: Job; className: string }) {
  const query = useInfiniteQuery(jobHistoryOptions(job.id));
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
              <Events events={showsAll ? events : events.slice(0, FIRST)} now={now} />
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

function Events({ events, now }: { events: readonly RecordEvent[]; now: string }) {
  const currency = useProfile()?.currency;
  const zone = companyTimeZone();
  return (
    <ol className="px-4 pb-3 lg:px-5">
      {events.map((event) => (
        <li key={event.id} className="py-1.5 text-base sm:flex sm:gap-4">
          <time dateTime={event.at} className="block w-36 shrink-0 text-sm/5 text-ink-3 tabular-nums">
            {eventTime(event.at, now, zone)}
          </time>
          <span className="min-w-0 [overflow-wrap:anywhere] text-ink-2">
            <span className="font-medium text-ink">{event.who}</span> {eventText(event, { zone, currency })}
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
