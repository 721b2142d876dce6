import type { OutboxMail } from '@callout/contract/admin';
import { mailLink } from '@callout/domain/mail/mail';
import { Copy, Send } from 'lucide-react';
import { messageOf, reportFailure } from '../../lib/error-messages.ts';
import { localDateTime } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { toast } from '../../ui/toast.ts';
import { useSendMailAgain } from './admin.api.ts';
import { MAIL_STATUS_LABELS, MAIL_STATUS_TONES } from './outbox-words.ts';

interface OutboxRowProps {
  mail: OutboxMail;
  /** Whether there is a mail server at all. */
  canSend: boolean;
}

export function OutboxRow({ mail, canSend }: OutboxRowProps) {
  const again = useSendMailAgain();
  const send = () =>
    again.mutate(mail, {
      onSuccess: () => toast.success(`Email to ${mail.recipient} queued`),
      onError: (error) => reportFailure(error, `Failed to send the email: ${messageOf(error)}`),
    });
  const tries = mail.attempts === 1 ? '1 attempt' : `${mail.attempts} attempts`;
  const written = mail.sent_at ? `Sent ${localDateTime(mail.sent_at)}` : `Created ${localDateTime(mail.created_at)}`;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 lg:px-5">
      <div className="min-w-0 flex-1 basis-72 space-y-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 text-base font-medium [overflow-wrap:anywhere]">{mail.subject}</span>
          <StatusPill tone={MAIL_STATUS_TONES[mail.status]} text={MAIL_STATUS_LABELS[mail.status]} />
        </p>
        <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
          To {mail.recipient}
          {mail.company && <span className="text-ink-3"> · {mail.company}</span>}
        </p>
        <p className="text-sm text-ink-3">{mail.attempts > 0 ? `${written} · ${tries}` : written}</p>
        {mail.last_error && <p className="text-sm text-danger-ink [overflow-wrap:anywhere]">{mail.last_error}</p>}
        {mail.text !== null && <MailText text={mail.text} />}
        {!mail.can_send_again && (
          <p className="text-sm text-ink-3">Its link has been deleted, so it can't be sent again. Request a new one instead.</p>
        )}
      </div>
      {canSend && mail.can_send_again && (
        <Button busy={again.isPending} onClick={send} aria-label={`Send again: ${mail.subject}, to ${mail.recipient}`}>
          {!again.isPending && <Send aria-hidden="true" />}
          Send again
        </Button>
      )}
    </li>
  );
}

/** For whoever must be given the link by other means. */
function MailText({ text }: { text: string }) {
  const link = mailLink(text, location.origin);
  const copy = async (address: string) => {
    try {
      await navigator.clipboard.writeText(address);
      toast.success('Link copied');
    } catch {
      toast.error('Your browser blocked copying. Select the link in the message and copy it yourself.');
    }
  };
  return (
    <details className="text-base not-open:-mb-2">
      <summary className="inline-flex h-11 items-center font-medium text-accent-ink lg:h-9">Show message</summary>
      <pre className="mt-1 rounded-control bg-sunken p-3 font-sans text-base whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]">
        {text}
      </pre>
      {link && (
        <Button className="mt-2" onClick={() => void copy(link)}>
          <Copy aria-hidden="true" />
          Copy link
        </Button>
      )}
    </details>
  );
}
