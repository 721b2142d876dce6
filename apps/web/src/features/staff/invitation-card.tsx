import type { StaffMember } from '@callout/contract/staff';
import { localDateTime } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { toast } from '../../ui/toast.ts';
import { ConfirmEmailBanner } from './confirm-email-banner.tsx';
import { useResendInvitation, useWithdrawInvitation } from './staff.api.ts';

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
      {resend.data?.mail === 'kept' && <MailNotSent className="mt-3" />}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={resend.isPending} onClick={send}>
          {member.status === 'uninvited' ? 'Send invitation' : 'Send again'}
        </Button>
        {member.status !== 'uninvited' && (
          <Button tone="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate(member.id, { onSuccess: () => resend.reset() })}>
            Withdraw
          </Button>
        )}
      </div>
    </Card>
  );
}

function InvitationStatus({ member: { status, email, invited_at: sent, invitation_expires_at: until } }: { member: StaffMember }) {
  if (status === 'uninvited') {
    return <p className="mt-1 text-base text-ink-2 [overflow-wrap:anywhere]">No active invitation. Send a new one to {email}.</p>;
  }
  return (
    <dl className="mt-1 text-base text-ink-2 [&_dt]:inline [&_dt]:text-ink-3 [&_dd]:inline [&_dd]:[overflow-wrap:anywhere]">
      <div>
        <dt>Sent to </dt>
        <dd>{email}</dd>
      </div>
      {sent && (
        <div>
          <dt>Created </dt>
          <dd>{localDateTime(sent)}</dd>
        </div>
      )}
      {until && (
        <div>
          <dt>{status === 'expired' ? 'Expired ' : 'Expires '}</dt>
          <dd>{localDateTime(until)}</dd>
        </div>
      )}
    </dl>
  );
}

/** No mail server is set up: the invitation waits in the outbox. */
export function MailNotSent({ className }: { className: string }) {
  return (
    <Banner tone="warn" className={className}>
      Email isn't set up on this server, so nothing was sent. Ask your administrator for the link.
    </Banner>
  );
}
