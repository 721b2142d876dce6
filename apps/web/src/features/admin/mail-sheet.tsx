import type { OutboxMail } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import { mailLink } from '@callout/domain/mail/mail';
import { countText } from '@callout/domain/text/count-text';
import { Copy, Send } from 'lucide-react';
import { useState } from 'react';
import { localDate, localDateTime } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { copyLink } from '../../ui/copy-link.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';
import { useSendMailAgain } from './admin.api.ts';

export const MAIL_STATUS_LABELS: Record<MailStatus, string> = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed', kept: 'Not sent' };
const STATUS_TONES: Record<MailStatus, PillTone> = { waiting: 'info', sent: 'ok', failed: 'danger', kept: 'warn' };
/** 'Retrying, next 3:25 AM' after a failed attempt, with the date unless it is today. */
export function mailStatusText({ status, attempts, next_attempt: next }: OutboxMail, now = new Date()): string {
  if (status !== 'waiting' || attempts === 0) return MAIL_STATUS_LABELS[status];
  if (next === null) return 'Retrying';
  const isToday = localDate(next) === localDate(now.toISOString());
  return `Retrying, next ${isToday ? localDateTime(next).slice(localDate(next).length + 1) : localDateTime(next)}`;
}

export function MailStatusPill({ mail }: { mail: OutboxMail }) {
  return <StatusPill tone={STATUS_TONES[mail.status]} text={mailStatusText(mail)} />;
}

interface MailSheetProps {
  /** Undefined closes the sheet. */
  mail: OutboxMail | undefined;
  /** Whether a mail server is set up. */
  canSend: boolean;
  onClose: () => void;
}

/** One mail of the outbox, with its message and what can be done with it. */
export function MailSheet({ mail: open, canSend, onClose }: MailSheetProps) {
  const sendAgain = useSendMailAgain();
  // Still shown while the sheet closes.
  const [mail, setMail] = useState(open);
  if (open && open !== mail) setMail(open);
  if (!mail) return null;
  const link = mail.text === null ? null : mailLink(mail.text, location.origin);
  return (
    <Sheet
      open={open !== undefined}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={mail.subject}
      size="medium"
      description={`To ${mail.recipient}${mail.company ? ` · ${mail.company}` : ''}`}
      actions={
        (link || (canSend && mail.can_send_again)) && (
          <>
            {link && (
              <Button onClick={() => void copyLink(link, 'in the message')}>
                <Copy aria-hidden="true" />
                Copy link
              </Button>
            )}
            {canSend && mail.can_send_again && (
              <Button tone="primary" busy={sendAgain.isPending} onClick={() => sendAgain.mutate(mail)}>
                {!sendAgain.isPending && <Send aria-hidden="true" />}
                Send again
              </Button>
            )}
          </>
        )
      }
    >
      <div className="space-y-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
          <MailStatusPill mail={mail} />
          {`Created ${localDateTime(mail.created_at)}`}
          {mail.sent_at && ` · Sent ${localDateTime(mail.sent_at)}`}
          {mail.attempts > 0 && ` · ${countText(mail.attempts, 'attempt')}`}
        </p>
        {mail.last_error && <Banner tone="danger">{mail.last_error}</Banner>}
        {mail.text !== null && (
          <pre className="rounded-control bg-sunken p-3 font-sans text-base whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]">
            {mail.text}
          </pre>
        )}
        {!mail.can_send_again && (
          <p className="text-sm text-ink-3">Its link has been deleted, so it can't be sent again. Request a new one instead.</p>
        )}
      </div>
    </Sheet>
  );
}
