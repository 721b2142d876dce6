import type { OutboxMail } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import { findMailLink } from '@callout/domain/mail/mail';
import { pluralize } from '@callout/domain/text/count-format';
import { formatDate, formatDateTime } from '@callout/domain/time/date-format';
import { Copy, Send } from 'lucide-react';
import { useDisplayFormat, useDisplayTimeZone } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { copyLink } from '../../ui/copy-link.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { useResendMail } from './admin.api.ts';

export const MAIL_STATUS_LABELS: Record<MailStatus, string> = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed', kept: 'Not sent' };
const STATUS_TONES: Record<MailStatus, PillTone> = { waiting: 'info', sent: 'ok', failed: 'danger', kept: 'warn' };
/** Formats the delivery status. After a failed attempt: 'Retrying. Next attempt at 3:25 AM', with the date unless it is today. */
export function formatMailStatus(
  { status, attempts, next_attempt: next }: OutboxMail,
  zone: string,
  now = new Date().toISOString(),
): string {
  if (status !== 'waiting' || attempts === 0) return MAIL_STATUS_LABELS[status];
  if (next === null) return 'Retrying';
  const [date, dateTime] = [formatDate(next, zone), formatDateTime(next, zone)];
  const isToday = date === formatDate(now, zone);
  return isToday ? `Retrying. Next attempt at ${dateTime.slice(date.length + 1)}` : `Retrying. Next attempt on ${dateTime}`;
}

export function MailStatusPill({ mail }: { mail: OutboxMail }) {
  const zone = useDisplayTimeZone();
  return <StatusPill tone={STATUS_TONES[mail.status]} text={formatMailStatus(mail, zone)} />;
}

interface MailSheetProps {
  /** The email to show; undefined while the sheet is closed. */
  mail: OutboxMail | undefined;
  /** Whether a mail server is configured. */
  canSend: boolean;
  onClose: () => void;
}

/** Shows an outbox email with its text, delivery status and actions. */
export function MailSheet({ mail: open, canSend, onClose }: MailSheetProps) {
  const resend = useResendMail();
  const { formatDisplayDateTime } = useDisplayFormat();
  const { subject: mail } = useDialogSubject(open);
  if (!mail) return null;
  const link = mail.text === null ? null : findMailLink(mail.text, location.origin);
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
              <Button tone="primary" busy={resend.isPending} onClick={() => resend.mutate(mail)}>
                {!resend.isPending && <Send aria-hidden="true" />}
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
          {`Created ${formatDisplayDateTime(mail.created_at)}`}
          {mail.sent_at && ` · Sent ${formatDisplayDateTime(mail.sent_at)}`}
          {mail.attempts > 0 && ` · ${pluralize(mail.attempts, 'attempt')}`}
        </p>
        {mail.last_error && <Banner tone="danger">{mail.last_error}</Banner>}
        {mail.text !== null && (
          <pre className="rounded-control bg-sunken p-3 font-sans text-base whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]">
            {mail.text}
          </pre>
        )}
        {!mail.can_send_again && (
          <p className="text-sm text-ink-3">This email's text has been deleted, so you can't resend it. Send a new one instead.</p>
        )}
      </div>
    </Sheet>
  );
}
