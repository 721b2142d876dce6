import type { JobRow } from '@callout/contract/jobs';
import type { QuoteRow } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatDate } from '@callout/domain/time/date-format';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { Card } from '../../ui/card.tsx';
import { JobStatusPill, NOT_SCHEDULED_LABEL } from '../jobs/job-labels.tsx';
import { jobListQueryOptions } from '../jobs/jobs.api.ts';
import { QuoteStatusPill } from './quote-labels.tsx';
import { quoteListQueryOptions } from './quotes.api.ts';

const NEWEST_FIRST = { sort: 'created_at', order: 'desc' } as const;
const MAX_OPEN_JOBS = 3;

/** Shows a customer's open jobs and latest quote. Renders nothing if the customer has neither. */
export function CustomerWorkSummary({ customerId }: { customerId: string }) {
  const jobs = useInfiniteQuery(jobListQueryOptions({ ...NEWEST_FIRST, group: 'active', customer_id: customerId }));
  const quotes = useInfiniteQuery(quoteListQueryOptions({ ...NEWEST_FIRST, customer_id: customerId }));
  const openJobs = jobs.data?.pages[0]?.rows ?? [];
  const lastQuote = quotes.data?.pages[0]?.rows[0];
  const hasMore = openJobs.length > MAX_OPEN_JOBS;
  return (
    <>
      {jobs.isLoadingError && <p className="mt-4 text-sm text-ink-3">Open jobs couldn't be loaded.</p>}
      {openJobs.length > 0 && (
        <WorkSection title="Open jobs">
          {openJobs.slice(0, MAX_OPEN_JOBS).map((job) => (
            <OpenJobRow key={job.id} job={job} />
          ))}
          {hasMore && (
            <li>
              <Link to="." search={{ tab: 'jobs' }} replace className={ROW_CLASSES}>
                <span className="font-medium text-accent-ink">All jobs</span>
              </Link>
            </li>
          )}
        </WorkSection>
      )}
      {quotes.isLoadingError && <p className="mt-4 text-sm text-ink-3">The last quote couldn't be loaded.</p>}
      {lastQuote && (
        <WorkSection title="Last quote">
          <LastQuoteRow quote={lastQuote} />
        </WorkSection>
      )}
    </>
  );
}

function WorkSection({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="mt-5">
      <h2 id={heading} className="mb-2 text-lg font-semibold">
        {title}
      </h2>
      <Card className="overflow-clip">
        <ul className="divide-y">{children}</ul>
      </Card>
    </section>
  );
}

const ROW_CLASSES =
  'flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-base text-ink-2 -outline-offset-2 hover:bg-sunken lg:px-5';

function TitleAndNumber({ title, number }: { title: string; number: string }) {
  return (
    <span className="min-w-0 flex-1 basis-40">
      <span className="block font-medium text-ink [overflow-wrap:anywhere]">{title}</span>
      <span className="block text-sm text-ink-3 tabular-nums">{number}</span>
    </span>
  );
}

function OpenJobRow({ job: { id, title, job_number: number, booking_date: booked, status } }: { job: JobRow }) {
  const zone = useDisplayTimeZone();
  return (
    <li>
      <Link to="/jobs/$id" params={{ id }} className={ROW_CLASSES}>
        <TitleAndNumber title={title} number={`#${number}`} />
        <span className="tabular-nums">{booked ? formatDate(booked, zone) : NOT_SCHEDULED_LABEL}</span>
        <JobStatusPill status={status} />
      </Link>
    </li>
  );
}

function LastQuoteRow({
  quote: { id, title, quote_number: number, total_amount: total, currency, shown_status: status },
}: {
  quote: QuoteRow;
}) {
  return (
    <li>
      <Link to="/quotes/$id" params={{ id }} className={ROW_CLASSES}>
        <TitleAndNumber title={title} number={number} />
        <span className="tabular-nums">{formatMoney(total, currency)}</span>
        <QuoteStatusPill status={status} />
      </Link>
    </li>
  );
}
