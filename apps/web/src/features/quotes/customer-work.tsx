import type { JobRow } from '@callout/contract/jobs';
import type { QuoteRow } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatDate } from '@callout/domain/time/date-format';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useShownTimeZone } from '../../lib/time-zone.ts';
import { Card } from '../../ui/card.tsx';
import { useProfile } from '../company/company.api.ts';
import { JobStatusPill, NOT_SCHEDULED } from '../jobs/job-labels.tsx';
import { jobsListOptions } from '../jobs/jobs.api.ts';
import { QuoteStatusPill } from './quote-labels.tsx';
import { quotesListOptions } from './quotes.api.ts';

const NEWEST = { sort: 'created_at', order: 'desc' } as const;
const MAX_JOBS = 3;

/** What is going on with a customer, at a glance: their open jobs and their last quote. Nothing for those who have neither. */
export function CustomerWork({ customerId }: { customerId: string }) {
  const jobs = useInfiniteQuery(jobsListOptions({ ...NEWEST, group: 'active', customer_id: customerId }));
  const quotes = useInfiniteQuery(quotesListOptions({ ...NEWEST, customer_id: customerId }));
  const open = jobs.data?.pages[0]?.rows ?? [];
  const last = quotes.data?.pages[0]?.rows[0];
  const hasMore = open.length > MAX_JOBS;
  return (
    <>
      {jobs.isLoadingError && <p className="mt-4 text-sm text-ink-3">Open jobs could not be loaded.</p>}
      {open.length > 0 && (
        <Part title="Open jobs">
          {open.slice(0, MAX_JOBS).map((job) => (
            <OpenJob key={job.id} job={job} />
          ))}
          {hasMore && (
            <li>
              <Link to="." search={{ tab: 'jobs' }} replace className={ROW}>
                <span className="font-medium text-accent-ink">All jobs</span>
              </Link>
            </li>
          )}
        </Part>
      )}
      {quotes.isLoadingError && <p className="mt-4 text-sm text-ink-3">The last quote could not be loaded.</p>}
      {last && (
        <Part title="Last quote">
          <LastQuote quote={last} />
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
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

const ROW =
  'flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-base text-ink-2 -outline-offset-2 hover:bg-sunken lg:px-5';

function Title({ title, number }: { title: string; number: string }) {
  return (
    <span className="min-w-0 flex-1 basis-40">
      <span className="block font-medium text-ink [overflow-wrap:anywhere]">{title}</span>
      <span className="block text-sm text-ink-3 tabular-nums">{number}</span>
    </span>
  );
}

function OpenJob({ job: { id, title, job_number: number, booking_date: booked, status } }: { job: JobRow }) {
  const zone = useShownTimeZone();
  return (
    <li>
      <Link to="/jobs/$id" params={{ id }} className={ROW}>
        <Title title={title} number={`#${number}`} />
        <span className="tabular-nums">{booked ? formatDate(booked, zone) : NOT_SCHEDULED}</span>
        <JobStatusPill status={status} />
      </Link>
    </li>
  );
}

function LastQuote({ quote: { id, title, quote_number: number, total_amount: total, shown_status: status } }: { quote: QuoteRow }) {
  const currency = useProfile()?.currency;
  return (
    <li>
      <Link to="/quotes/$id" params={{ id }} className={ROW}>
        <Title title={title} number={number} />
        <span className="tabular-nums">{formatMoney(total, currency)}</span>
        <QuoteStatusPill status={status} />
      </Link>
    </li>
  );
}
