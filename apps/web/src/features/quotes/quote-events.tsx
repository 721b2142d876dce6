import type { Quote, QuoteMail } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate, formatDateTime } from '@callout/domain/time/date-format';
import { Link } from '@tanstack/react-router';
import {
  BriefcaseBusiness,
  CalendarX,
  CircleCheck,
  CircleX,
  Clock,
  Download,
  Eye,
  Inbox,
  type LucideIcon,
  MailCheck,
  MailWarning,
  Send,
} from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { companyTimeZone } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { AnchorButton } from '../../ui/link-button.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { acceptedCopyUrl, MAIL_KEPT, useRetryQuoteMail } from './quotes.api.ts';

/** What became of the quote after it was written: the answer first, then who saw it, then every mail. */
export function QuoteEvents({ quote }: { quote: Quote }) {
  const { acceptance, rejected_at: rejected, shown_status: status, valid_until: day, mails, sent_at: sent } = quote;
  // A mail that makes it sent is queued at that very moment.
  const isMarked = sent !== null && quote.status !== 'draft' && mails.every(({ queued_at: queued }) => queued !== sent);
  const isQuiet = !acceptance && !rejected && status !== 'expired' && !quote.first_opened_at && mails.length === 0 && !isMarked;
  return (
    <section aria-labelledby="quote-events">
      <Card className="p-4 lg:p-5">
        <h2 id="quote-events" className="mb-2 text-lg font-semibold">
          Activity
        </h2>
        <ul className="space-y-3">
          {acceptance && <Accepted quote={quote} acceptance={acceptance} />}
          {!acceptance && rejected && <Event icon={CircleX} tone="danger" headline="Rejected by the customer" at={rejected} />}
          {status === 'expired' && (
            <Event icon={CalendarX} tone="warn" headline="Expired">
              {day && `It was valid until ${formatCivilDate(day)}.`}
            </Event>
          )}
          <Opened quote={quote} />
          {mails.map((mail) => (
            <Mail key={mail.id} mail={mail} />
          ))}
          {isMarked && <Event icon={Send} headline="Marked as sent" at={sent} />}
          {isQuiet && <Event icon={Clock} headline="Not sent yet" />}
        </ul>
      </Card>
    </section>
  );
}

const TONES = { plain: 'text-ink-3', ok: 'text-ok-ink', warn: 'text-warn-ink', danger: 'text-danger-ink' };

interface EventProps {
  icon: LucideIcon;
  tone?: keyof typeof TONES;
  headline: ReactNode;
  at?: string;
  children?: ReactNode;
  ref?: Ref<HTMLLIElement>;
}

function Event({ icon: Icon, tone = 'plain', headline, at, children, ref }: EventProps) {
  return (
    <li ref={ref} tabIndex={ref ? -1 : undefined} className="flex gap-3 text-base">
      <Icon aria-hidden="true" className={classes('mt-0.5 size-4.5 shrink-0', TONES[tone])} />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className={classes('font-medium', tone === 'danger' && TONES.danger)}>{headline}</p>
        {at && <Moment at={at} />}
        {children && <div className="text-sm text-ink-2">{children}</div>}
      </div>
    </li>
  );
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="block text-sm text-ink-3 tabular-nums">
      {formatDateTime(at, companyTimeZone())}
    </time>
  );
}

function Accepted({ quote, acceptance }: { quote: Quote; acceptance: NonNullable<Quote['acceptance']> }) {
  const currency = useProfile()?.currency;
  const { accepted_by, by_customer, accepted_at, job_id, job_number, total_amount, network_address, browser, is_intact } = acceptance;
  const origin = [network_address, browser].filter(Boolean).join(' · ');
  return (
    <Event
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
    </Event>
  );
}

function Opened({ quote: { first_opened_at: first, last_opened_at: last } }: { quote: Quote }) {
  if (!first) return null;
  const zone = companyTimeZone();
  const isAgain = last !== null && last !== first;
  return (
    <Event icon={Eye} headline="Opened by the customer" at={first}>
      {isAgain && <p className="tabular-nums">{`Last opened ${formatDateTime(last, zone)}`}</p>}
    </Event>
  );
}

const MAIL_LOOKS: Readonly<Record<QuoteMail['status'], Pick<EventProps, 'tone'> & { icon: LucideIcon; quote: string; reminder: string }>> =
  {
    queued: { icon: Clock, quote: 'Sending to', reminder: 'Sending a reminder to' },
    sent: { icon: MailCheck, quote: 'Sent to', reminder: 'Reminder sent to' },
    failed: { icon: MailWarning, tone: 'danger', quote: 'Email failed to', reminder: 'Reminder failed to' },
    kept: { icon: Inbox, tone: 'warn', quote: 'Not sent to', reminder: 'Reminder not sent to' },
  };

function Mail({ mail }: { mail: QuoteMail }) {
  const { status, kind, recipient, problem, queued_at, sent_at, sent_by } = mail;
  const { icon, tone, ...words } = MAIL_LOOKS[status];
  const event = useRef<HTMLLIElement>(null);
  const wasFailed = useRef(false);
  useEffect(() => {
    // The button that was pressed is gone.
    if (wasFailed.current && status !== 'failed' && document.activeElement === document.body) event.current?.focus({ preventScroll: true });
    wasFailed.current = status === 'failed';
  }, [status]);
  return (
    <Event ref={event} icon={icon} {...(tone ? { tone } : {})} headline={`${words[kind]} ${recipient}`} at={sent_at ?? queued_at}>
      {sent_by && <p>By {sent_by}</p>}
      {problem && <p className={status === 'failed' ? 'text-danger-ink' : undefined}>{problem}</p>}
      {status === 'kept' && !problem && <p>{MAIL_KEPT}</p>}
      {status === 'failed' && <RetryMail id={mail.id} recipient={recipient} />}
    </Event>
  );
}

function RetryMail({ id, recipient }: { id: string; recipient: string }) {
  const retry = useRetryQuoteMail();
  if (!useCan('quotes.edit')) return null;
  return (
    <Button busy={retry.isPending} onClick={() => retry.mutate({ id })} className="mt-2" aria-label={`Retry email to ${recipient}`}>
      {retry.isPending ? 'Sending…' : 'Retry'}
    </Button>
  );
}
