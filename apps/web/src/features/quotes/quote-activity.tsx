import type { Quote, QuoteMail } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { Link } from '@tanstack/react-router';
import { BriefcaseBusiness, CalendarX, CircleCheck, CircleX, Clock, Download, Send } from 'lucide-react';
import { ActivityCard, ActivityEvent, DocumentOpenedEvent, MailDeliveryEvent } from '../../lib/activity-card.tsx';
import { Banner } from '../../ui/banner.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { useCan } from '../company/company.api.ts';
import { buildAcceptedCopyUrl, useRetryQuoteMail } from './quotes.api.ts';

export function QuoteActivity({ quote }: { quote: Quote }) {
  const { acceptance, rejected_at: rejected, shown_status: status, valid_until: day, mails, sent_at: sent } = quote;
  // Emailing sets `sent_at` to the email's `queued_at`. If no email matches, someone marked the quote as sent by hand.
  const isMarkedAsSent = sent !== null && quote.status !== 'draft' && mails.every(({ queued_at: queued }) => queued !== sent);
  const isEmpty = !acceptance && !rejected && status !== 'expired' && !quote.first_opened_at && mails.length === 0 && !isMarkedAsSent;
  return (
    <ActivityCard>
      {acceptance && <AcceptedEvent quote={quote} acceptance={acceptance} />}
      {!acceptance && rejected && <ActivityEvent icon={CircleX} tone="danger" headline="Rejected by the customer" occurredAt={rejected} />}
      {status === 'expired' && (
        <ActivityEvent icon={CalendarX} tone="warn" headline="Expired">
          {day && `It was valid until ${formatCivilDate(day)}.`}
        </ActivityEvent>
      )}
      <DocumentOpenedEvent record={quote} />
      {mails.map((mail) => (
        <QuoteMailEvent key={mail.id} mail={mail} />
      ))}
      {isMarkedAsSent && <ActivityEvent icon={Send} headline="Marked as sent" occurredAt={sent} />}
      {isEmpty && <ActivityEvent icon={Clock} headline="Not sent yet" />}
    </ActivityCard>
  );
}

function AcceptedEvent({ quote, acceptance }: { quote: Quote; acceptance: NonNullable<Quote['acceptance']> }) {
  const { currency } = quote;
  const { accepted_by, by_customer, accepted_at, job_id, job_number, total_amount, network_address, browser, is_intact } = acceptance;
  const origin = [network_address, browser].filter(Boolean).join(' · ');
  return (
    <ActivityEvent
      icon={CircleCheck}
      tone="ok"
      headline={by_customer ? `Accepted by ${accepted_by}` : `Accepted by ${accepted_by} for the customer`}
      occurredAt={accepted_at}
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
          The accepted copy may have been altered since it was saved.
        </Banner>
      )}
      <AnchorButton href={buildAcceptedCopyUrl(quote.id)} download={`Accepted quote ${quote.quote_number}.pdf`} className="mt-2">
        <Download aria-hidden="true" />
        Download accepted copy
      </AnchorButton>
    </ActivityEvent>
  );
}

function QuoteMailEvent({ mail }: { mail: QuoteMail }) {
  const retry = useRetryQuoteMail();
  return <MailDeliveryEvent mail={mail} retry={useCan('quotes.edit') ? retry : undefined} />;
}
