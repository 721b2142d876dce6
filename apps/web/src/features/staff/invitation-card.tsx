import type { InvitationDelivery, StaffMember } from '@callout/contract/staff';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { Copy, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { isAbortOrTimeout } from '../../lib/error-messages.ts';
import { OnlineButton } from '../../lib/online-button.tsx';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { MAIL_NOT_SET_UP_MESSAGE } from '../../lib/unsent-mail.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { copyLink } from '../../ui/copy-link.ts';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe, useProfile } from '../company/company.api.ts';
import { ConfirmEmailBanner } from '../company/confirm-email-banner.tsx';
import { useCopyInvitationLink, useResendInvitation, useWithdrawInvitation } from './staff.api.ts';

export function InvitationCard({ member }: { member: StaffMember }) {
  const resend = useResendInvitation();
  const withdraw = useWithdrawInvitation();
  const { sends_mail: sendsMail } = useMe();
  return (
    <Card className="p-4 lg:p-5">
      <h2 className="text-lg font-semibold">Invitation</h2>
      <InvitationStatus member={member} />
      <ConfirmEmailBanner blockedAction="invite people" className="mt-3" />
      {member.delivery === 'not-sent' && <MailNotSentBanner className="mt-3" />}
      <InvitationLink
        member={member}
        hasEarlierLinks={member.status === 'invited'}
        before={
          sendsMail && (
            <OnlineButton busy={resend.isPending} onClick={() => resend.mutate(member.id)}>
              {member.status === 'uninvited' ? 'Send invitation' : 'Send again'}
            </OnlineButton>
          )
        }
        after={
          member.status !== 'uninvited' && (
            <Button tone="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate(member.id)}>
              Withdraw
            </Button>
          )
        }
      />
    </Card>
  );
}

const DELIVERY_LABELS: Record<InvitationDelivery, string> = {
  sending: 'Sending to',
  delivered: 'Delivered to',
  failed: "Couldn't deliver to",
  'not-sent': 'Not emailed to',
};

function InvitationStatus({ member }: { member: StaffMember }) {
  const { formatDisplayDateTime } = useDisplayFormat();
  const { sends_mail: sendsMail } = useMe();
  const { status, email, invited_at: created, invitation_expires_at: expires, delivery, delivery_problem: problem, copied_link } = member;
  if (status === 'uninvited') {
    return (
      <p className="mt-1 text-base text-ink-2 [overflow-wrap:anywhere]">
        No active invitation. {sendsMail ? `Send a new one to ${email}.` : `Copy a new link for ${email}.`}
      </p>
    );
  }
  return (
    <>
      <dl className="mt-1 text-base text-ink-2 [&_dt]:inline [&_dt]:text-ink-3 [&_dd]:inline [&_dd]:[overflow-wrap:anywhere]">
        <div>
          <dt className={delivery === 'failed' ? 'font-medium text-danger-ink!' : undefined}>
            {delivery ? DELIVERY_LABELS[delivery] : 'For'}{' '}
          </dt>
          <dd>{email}</dd>
        </div>
        {created && (
          <div>
            <dt>Created </dt>
            <dd>{formatDisplayDateTime(created)}</dd>
          </div>
        )}
        {expires && (
          <div>
            <dt>{status === 'expired' ? 'Expired ' : 'Expires '}</dt>
            <dd>{formatDisplayDateTime(expires)}</dd>
          </div>
        )}
        {copied_link && (
          <div>
            <dt>Link copied by </dt>
            <dd>
              {copied_link.by}, {formatDisplayDateTime(copied_link.created_at)}
            </dd>
          </div>
        )}
      </dl>
      {problem && (
        <p className="mt-1 text-base text-ink-2">
          {problem} {delivery === 'sending' && "We'll keep trying."}
        </p>
      )}
    </>
  );
}

interface InvitationLinkProps {
  member: StaffMember;
  hasEarlierLinks?: boolean;
  before?: ReactNode;
  after?: ReactNode;
}

/** Copies or shares an invitation link, for people who don't read their email. Displays the link once it has been created. */
export function InvitationLink({ member, hasEarlierLinks = false, before, after }: InvitationLinkProps) {
  const create = useCopyInvitationLink();
  const { sends_mail: sendsMail } = useMe();
  const company = useProfile()?.company_name ?? 'our company';
  // False if a newer invitation has replaced the link since it was created.
  const isCurrent = create.data !== undefined && create.data.member.copied_link?.created_at === member.copied_link?.created_at;
  const url = isCurrent ? create.data.url : undefined;

  const withLink = (send: (link: string) => Promise<void>) => {
    if (url !== undefined) void send(url);
    else create.mutate(member.id, { onSuccess: (created) => void send(created.url) });
  };
  const copy = (link: string) => copyLink(link, 'below');
  const share = async (link: string) => {
    try {
      await navigator.share({ text: `Join ${company} on ${PRODUCT_NAME}`, url: link });
    } catch (error) {
      // Closing the share menu also rejects the promise, but isn't an error.
      if (!isAbortOrTimeout(error)) toast.error('Your browser blocked sharing. Copy the link below and send it yourself.');
    }
  };

  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2">
        {before}
        <Button busy={create.isPending} onClick={() => withLink(copy)}>
          <Copy aria-hidden="true" />
          Copy link
        </Button>
        {'share' in navigator && (
          <Button busy={create.isPending} onClick={() => withLink(share)}>
            <Share2 aria-hidden="true" />
            Share
          </Button>
        )}
        {after}
      </div>
      {hasEarlierLinks && (
        <p className="mt-2 text-sm text-ink-3">
          {!url && member.copied_link && 'Copying again cancels the previously copied link. '}
          {sendsMail && 'Sending again cancels all earlier links.'}
        </p>
      )}
      {url && (
        <TextField
          label="Invitation link"
          value={url}
          readOnly
          onFocus={({ target }) => target.select()}
          hint={`Can be used once and expires in 7 days. Send it only to ${member.name}.`}
          className="mt-3"
        />
      )}
    </>
  );
}

export function MailNotSentBanner({ className }: { className: string }) {
  return (
    <Banner tone="warn" className={className}>
      {MAIL_NOT_SET_UP_MESSAGE} Copy the link and send it yourself.
    </Banner>
  );
}
