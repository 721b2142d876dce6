import type { InvitationDelivery, StaffMember } from '@callout/contract/staff';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { Copy, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { localDateTime } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useProfile } from '../company/company.api.ts';
import { ConfirmEmailBanner } from './confirm-email-banner.tsx';
import { useCopyInvitationLink, useResendInvitation, useWithdrawInvitation } from './staff.api.ts';

/** For somebody who has not joined yet: the state of their invitation, and what can be done about it. */
export function InvitationCard({ member }: { member: StaffMember }) {
  const resend = useResendInvitation();
  const withdraw = useWithdrawInvitation();
  const send = () =>
    resend.mutate(member.id, {
      onSuccess: ({ mail }) => {
        if (mail === 'queued') toast.success(`Invitation sent to ${member.email}`);
      },
    });
  return (
    <Card className="p-4 lg:p-5">
      <h2 className="text-lg font-semibold">Invitation</h2>
      <InvitationStatus member={member} />
      <ConfirmEmailBanner className="mt-3" />
      {member.delivery === 'not-sent' && <MailNotSent className="mt-3" />}
      <InvitationLink
        member={member}
        before={
          <Button busy={resend.isPending} onClick={send}>
            {member.status === 'uninvited' ? 'Send invitation' : 'Send again'}
          </Button>
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

const DELIVERIES: Record<InvitationDelivery, string> = {
  sending: 'Sending…',
  delivered: 'Delivered',
  failed: "Couldn't deliver",
  'not-sent': 'Not sent',
};

function InvitationStatus({ member }: { member: StaffMember }) {
  const { status, email, invited_at: created, invitation_expires_at: expires, delivery, delivery_problem: problem, copied_link } = member;
  if (status === 'uninvited') {
    return <p className="mt-1 text-base text-ink-2 [overflow-wrap:anywhere]">No active invitation. Send a new one to {email}.</p>;
  }
  return (
    <>
      <dl className="mt-1 text-base text-ink-2 [&_dt]:inline [&_dt]:text-ink-3 [&_dd]:inline [&_dd]:[overflow-wrap:anywhere]">
        <div>
          <dt>{delivery ? 'Sent to ' : 'For '}</dt>
          <dd>{email}</dd>
        </div>
        {delivery && (
          <div>
            <dt>Email </dt>
            <dd className={delivery === 'failed' ? 'font-medium text-danger-ink' : undefined}>{DELIVERIES[delivery]}</dd>
          </div>
        )}
        {created && (
          <div>
            <dt>Created </dt>
            <dd>{localDateTime(created)}</dd>
          </div>
        )}
        {expires && (
          <div>
            <dt>{status === 'expired' ? 'Expired ' : 'Expires '}</dt>
            <dd>{localDateTime(expires)}</dd>
          </div>
        )}
        {copied_link && (
          <div>
            <dt>Link copied by </dt>
            <dd>
              {copied_link.by}, {localDateTime(copied_link.created_at)}
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
  /** Buttons beside its own. */
  before?: ReactNode;
  after?: ReactNode;
}

/** Buttons for a link to text or to show, since not everybody reads their mail, and the link once there is one. */
export function InvitationLink({ member, before, after }: InvitationLinkProps) {
  const create = useCopyInvitationLink();
  const company = useProfile()?.company_name ?? 'our company';
  // Another invitation has replaced the link since it was made.
  const isOpen = create.data !== undefined && create.data.member.copied_link?.created_at === member.copied_link?.created_at;
  const url = isOpen ? create.data.url : undefined;

  const withLink = async (send: (link: string) => Promise<void>) => {
    try {
      await send(url ?? (await create.mutateAsync(member.id)).url);
    } catch {
      // The call has been reported. A browser that refuses, or a person who cancels, finds the link in its field.
    }
  };
  const copy = async (link: string) => {
    await navigator.clipboard.writeText(link);
    toast.success('Link copied');
  };
  const share = (link: string) => navigator.share({ text: `Join ${company} on ${PRODUCT_NAME}`, url: link });

  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2">
        {before}
        <Button busy={create.isPending} onClick={() => void withLink(copy)}>
          <Copy aria-hidden="true" />
          Copy link
        </Button>
        {'share' in navigator && (
          <Button busy={create.isPending} onClick={() => void withLink(share)}>
            <Share2 aria-hidden="true" />
            Share
          </Button>
        )}
        {after}
      </div>
      {url && (
        <TextField
          label="Invitation link"
          value={url}
          readOnly
          onFocus={({ target }) => target.select()}
          hint={`Can be used once, for 7 days. Send it only to ${member.name}.`}
          className="mt-3"
        />
      )}
    </>
  );
}

/** No mail server is set up, so the inviter sends the link. */
export function MailNotSent({ className }: { className: string }) {
  return (
    <Banner tone="warn" className={className}>
      Email isn't set up on this server, so nothing was sent. Copy the link and send it yourself.
    </Banner>
  );
}
