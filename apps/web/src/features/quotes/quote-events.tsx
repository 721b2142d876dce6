import type { Quote, QuoteMail } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { Link } from '@tanstack/react-router';
import { BriefcaseBusiness, CalendarX, CircleCheck, CircleX, Clock, Download, Send } from 'lucide-react';
import { ActivityCard, ActivityEvent, MailEvent, OpenedEvent } from '../../lib/activity.tsx';
import { Banner } from '../../ui/banner.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { acceptedCopyUrl, useRetryQuoteMail } from './quotes.api.ts';

/** What became of the quote after it was written: the answer first, then who saw it, then every mail. */
export function QuoteEvents({ quote }: { quote: Quote }) {
  const { acceptance, rejected_at: rejected, shown_status: status, valid_until: day, mails, sent_at: sent } = quote;
  // A mail that makes it sent is queued at that very moment.
  const isMarked = sent !== null && quote.status !== 'draft' && mails.every(({ queued_at: queued }) => queued !== sent);
  const isQuiet = !acceptance && !rejected && status !== 'expired' && !quote.first_opened_at && mails.length === 0 && !isMarked;
  return (
    <ActivityCard>
      {acceptance && <Accepted quote={quote} acceptance={acceptance} />}
      {!acceptance && rejected && <ActivityEvent icon={CircleX} tone="danger" headline="Rejected by the customer" at={rejected} />}
      {status === 'expired' && (
        <ActivityEvent icon={CalendarX} tone="warn" headline="Expired">
          {day && `It was valid until ${formatCivilDate(day)}.`}
        </ActivityEvent>
      )}
      <OpenedEvent of={quote} />
      {mails.map((mail) => (
        <QuoteMailEvent key={mail.id} mail={mail} />
      ))}
      {isMarked && <ActivityEvent icon={Send} headline="Marked as sent" at={sent} />}
      {isQuiet && <ActivityEvent icon={Clock} headline="Not sent yet" />}
    </ActivityCard>
  );
}

function Accepted({ quote, acceptance }: { quote: Quote; acceptance: NonNullable<Quote['acceptance']> }) {
  const currency = useProfile()?.currency;
  const { accepted_by, by_customer, accepted_at, job_id, job_number, total_amount, network_address, browser, is_intact } = acceptance;
  const origin = [network_address, browser].filter(Boolean).join(' · ');
  return (
    <ActivityEvent
      icon={CircleCheck}
      tone="ok"
      headline={by_customer ? `Accepted by ${accepted_by}` : `Accepted by ${accepted_by} for the customer`}
      at={accepted_at}
    >
      <p className="mt-0.5">
        <span className="font-medium text-ink tabular-nums">{formatMoney(total_amount, currency)}</span>
        {' · '}
        {job_id ? (
          <Link
            to="/jobs/$id"
            params={{ id: job_id }}
            className="-my-2.5 inline-block py-2.5 font-medium text-accent-ink hover:underline lg:-my-1 lg:py-1"
          >
            <BriefcaseBusiness aria-hidden="true" className="mr-1 inline size-3.5 align-[-2px]" />
            Job #{job_number}
          </Link>
        ) : (
          `Job #${job_number} was deleted`
        )}
      </p>
      {origin && <p className="mt-0.5 line-clamp-2 text-ink-3" title={origin}>{`From ${origin}`}</p>}
      {!is_intact && (
        <Banner tone="danger" className="mt-2">
          The accepted copy no longer matches its fingerprint. It was changed outside Callout.
        </Banner>
      )}
      <AnchorButton href={acceptedCopyUrl(quote.id)} download={`Accepted quote ${quote.quote_number}.pdf`} className="mt-2">
        <Download aria-hidden="true" />
        Download accepted copy
      </AnchorButton>
    </ActivityEvent>
  );
}

function QuoteMailEvent({ mail }: { mail: QuoteMail }) {
  const retry = useRetryQuoteMail();
  return <MailEvent mail={mail} retry={useCan('quotes.edit') ? retry : undefined} />;
}
