import { formatDateTime } from '@callout/domain/time/date-format';
import { Clock, Eye, Inbox, type LucideIcon, MailCheck, MailWarning } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { MAIL_KEPT } from './kept-mail.ts';
import { companyTimeZone } from './time-zone.ts';

/** What became of something after it was sent: a list of `ActivityEvent`. */
export function ActivityCard({ children }: { children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <Card className="p-4 lg:p-5">
        <h2 id={heading} className="mb-2 text-lg font-semibold">
          Activity
        </h2>
        <ul className="space-y-3">{children}</ul>
      </Card>
    </section>
  );
}

const TONES = { plain: 'text-ink-3', ok: 'text-ok-ink', warn: 'text-warn-ink', danger: 'text-danger-ink' };

interface ActivityEventProps {
  icon: LucideIcon;
  tone?: keyof typeof TONES | undefined;
  headline: ReactNode;
  at?: string;
  children?: ReactNode;
  ref?: Ref<HTMLLIElement>;
}

export function ActivityEvent({ icon: Icon, tone = 'plain', headline, at, children, ref }: ActivityEventProps) {
  return (
    <li ref={ref} tabIndex={ref ? -1 : undefined} className="flex gap-3 text-base">
      <Icon aria-hidden="true" className={classes('mt-0.5 size-4.5 shrink-0', TONES[tone])} />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className={classes('font-medium', tone === 'danger' && TONES.danger)}>{headline}</p>
        {at && (
          <time dateTime={at} className="block text-sm text-ink-3 tabular-nums">
            {formatDateTime(at, companyTimeZone())}
          </time>
        )}
        {children && <div className="text-sm text-ink-2">{children}</div>}
      </div>
    </li>
  );
}

interface Openings {
  first_opened_at: string | null;
  last_opened_at: string | null;
}

/** When the customer looked at it. */
export function OpenedEvent({ of: { first_opened_at: first, last_opened_at: last } }: { of: Openings }) {
  if (!first) return null;
  return (
    <ActivityEvent icon={Eye} headline="Opened by the customer" at={first}>
      {last !== null && last !== first && <p className="tabular-nums">{`Last opened ${formatDateTime(last, companyTimeZone())}`}</p>}
    </ActivityEvent>
  );
}

interface SentMail {
  readonly id: string;
  /** A reminder, or the record itself. */
  readonly kind: string;
  readonly recipient: string;
  readonly status: 'queued' | 'sent' | 'failed' | 'kept';
  readonly problem: string | null;
  readonly queued_at: string;
  readonly sent_at: string | null;
  readonly sent_by: string | null;
}

const MAIL_LOOKS: Readonly<Record<SentMail['status'], { icon: LucideIcon; tone?: keyof typeof TONES; record: string; reminder: string }>> =
  {
    queued: { icon: Clock, record: 'Sending to', reminder: 'Sending a reminder to' },
    sent: { icon: MailCheck, record: 'Sent to', reminder: 'Reminder sent to' },
    failed: { icon: MailWarning, tone: 'danger', record: 'Email failed to', reminder: 'Reminder failed to' },
    kept: { icon: Inbox, tone: 'warn', record: 'Not sent to', reminder: 'Reminder not sent to' },
  };

interface MailEventProps {
  mail: SentMail;
  /** Sends it again; absent for people who may not. */
  retry?: { readonly isPending: boolean; readonly mutate: (mail: { id: string }) => void } | undefined;
  /** What was sent, where there can be several. */
  children?: ReactNode;
}

/** What became of a mail, and a second chance for one that failed. */
export function MailEvent({ mail, retry, children }: MailEventProps) {
  const { id, status, kind, recipient, problem, queued_at, sent_at, sent_by } = mail;
  const { icon, tone, record, reminder } = MAIL_LOOKS[status];
  const event = useRef<HTMLLIElement>(null);
  const wasFailed = useRef(false);
  useEffect(() => {
    // The button that was pressed is gone.
    if (wasFailed.current && status !== 'failed' && document.activeElement === document.body) event.current?.focus({ preventScroll: true });
    wasFailed.current = status === 'failed';
  }, [status]);
  return (
    <ActivityEvent
      ref={event}
      icon={icon}
      tone={tone}
      headline={`${kind === 'reminder' ? reminder : record} ${recipient}`}
      at={sent_at ?? queued_at}
    >
      {children}
      {sent_by && <p>By {sent_by}</p>}
      {problem && <p className={status === 'failed' ? 'text-danger-ink' : undefined}>{problem}</p>}
      {status === 'kept' && !problem && <p>{MAIL_KEPT}</p>}
      {status === 'failed' && retry && (
        <Button busy={retry.isPending} onClick={() => retry.mutate({ id })} className="mt-2" aria-label={`Retry email to ${recipient}`}>
          {retry.isPending ? 'Sending…' : 'Retry'}
        </Button>
      )}
    </ActivityEvent>
  );
}
