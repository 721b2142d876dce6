import { Clock, Eye, Inbox, type LucideIcon, MailCheck, MailWarning } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { useDisplayFormat } from './time-zone.ts';
import { MAIL_NOT_SENT_MESSAGE } from './unsent-mail.ts';

/** Card that lists what happened to a quote or invoice after it was sent. `children` are `ActivityEvent` items. */
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

const TONE_CLASSES = { plain: 'text-ink-3', ok: 'text-ok-ink', warn: 'text-warn-ink', danger: 'text-danger-ink' };

interface ActivityEventProps {
  icon: LucideIcon;
  tone?: keyof typeof TONE_CLASSES | undefined;
  headline: ReactNode;
  occurredAt?: string;
  children?: ReactNode;
  ref?: Ref<HTMLLIElement>;
}

export function ActivityEvent({ icon: Icon, tone = 'plain', headline, occurredAt, children, ref }: ActivityEventProps) {
  const { formatDisplayDateTime } = useDisplayFormat();
  return (
    <li ref={ref} tabIndex={ref ? -1 : undefined} className="flex gap-3 text-base">
      <Icon aria-hidden="true" className={classNames('mt-0.5 size-4.5 shrink-0', TONE_CLASSES[tone])} />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className={classNames('font-medium', tone === 'danger' && TONE_CLASSES.danger)}>{headline}</p>
        {occurredAt && (
          <time dateTime={occurredAt} className="block text-sm text-ink-3 tabular-nums">
            {formatDisplayDateTime(occurredAt)}
          </time>
        )}
        {children && <div className="text-sm text-ink-2">{children}</div>}
      </div>
    </li>
  );
}

interface OpenTimes {
  first_opened_at: string | null;
  last_opened_at: string | null;
}

/** Shows when the customer first and last opened the document. Renders nothing if the document was never opened. */
export function DocumentOpenedEvent({ record: { first_opened_at: first, last_opened_at: last } }: { record: OpenTimes }) {
  const { formatDisplayDateTime } = useDisplayFormat();
  if (!first) return null;
  return (
    <ActivityEvent icon={Eye} headline="Opened by the customer" occurredAt={first}>
      {last !== null && last !== first && <p className="tabular-nums">{`Last opened ${formatDisplayDateTime(last)}`}</p>}
    </ActivityEvent>
  );
}

interface SentMail {
  readonly id: string;
  /** 'reminder' for a reminder. Any other kind is an email that sent the document itself. */
  readonly kind: string;
  readonly recipient: string;
  readonly status: 'queued' | 'sent' | 'failed' | 'kept';
  readonly problem: string | null;
  readonly queued_at: string;
  readonly sent_at: string | null;
  readonly sent_by: string | null;
}

const MAIL_STATUS_DISPLAY: Readonly<
  Record<SentMail['status'], { icon: LucideIcon; tone?: keyof typeof TONE_CLASSES; record: string; reminder: string }>
> = {
  queued: { icon: Clock, record: 'Sending to', reminder: 'Sending a reminder to' },
  sent: { icon: MailCheck, record: 'Sent to', reminder: 'Reminder sent to' },
  failed: { icon: MailWarning, tone: 'danger', record: 'Email failed to', reminder: 'Reminder failed to' },
  kept: { icon: Inbox, tone: 'warn', record: 'Not sent to', reminder: 'Reminder not sent to' },
};

interface MailDeliveryEventProps {
  mail: SentMail;
  /** Resends the email. Undefined if the user isn't allowed to. */
  retry?: { readonly isPending: boolean; readonly mutate: (mail: { id: string }) => void } | undefined;
  /** Name of the document that was sent, for pages with several documents. */
  children?: ReactNode;
}

/** Shows an email's delivery status, with a Retry button if it failed. */
export function MailDeliveryEvent({ mail, retry, children }: MailDeliveryEventProps) {
  const { id, status, kind, recipient, problem, queued_at, sent_at, sent_by } = mail;
  const { icon, tone, record, reminder } = MAIL_STATUS_DISPLAY[status];
  const event = useRef<HTMLLIElement>(null);
  const wasFailed = useRef(false);
  useEffect(() => {
    // If the focused Retry button has disappeared, keep the focus nearby by moving it to the event.
    if (wasFailed.current && status !== 'failed' && document.activeElement === document.body) event.current?.focus({ preventScroll: true });
    wasFailed.current = status === 'failed';
  }, [status]);
  return (
    <ActivityEvent
      ref={event}
      icon={icon}
      tone={tone}
      headline={`${kind === 'reminder' ? reminder : record} ${recipient}`}
      occurredAt={sent_at ?? queued_at}
    >
      {children}
      {sent_by && <p>By {sent_by}</p>}
      {problem && <p className={status === 'failed' ? 'text-danger-ink' : undefined}>{problem}</p>}
      {status === 'kept' && !problem && <p>{MAIL_NOT_SENT_MESSAGE}</p>}
      {status === 'failed' && retry && (
        <Button busy={retry.isPending} onClick={() => retry.mutate({ id })} className="mt-2" aria-label={`Retry email to ${recipient}`}>
          {retry.isPending ? 'Sending…' : 'Retry'}
        </Button>
      )}
    </ActivityEvent>
  );
}
