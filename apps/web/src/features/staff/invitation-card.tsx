import type { StaffMember } from '@callout/contract/staff';
import { messageOf } from '../../lib/error-messages.ts';
import { localDateTime } from '../../lib/local-date.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { toast } from '../../ui/toast.ts';
import { ConfirmEmailBanner } from './confirm-email-banner.tsx';
import { MailKept } from './mail-kept.tsx';
import { useResendInvitation, useWithdrawInvitation } from './staff.api.ts';

/** For who has not joined yet: what became of their link, and what can be done about it. */
export function InvitationCard({ member }: { member: StaffMember }) {
  const resend = useResendInvitation();
  const withdraw = useWithdrawInvitation();
  const send = () =>
    resend.mutate(member.id, {
      onSuccess: ({ mail }) => {
        if (mail === 'queued') toast.success(`Invitation sent to ${member.email}`);
      },
      onError: (error) => reportFailure(error, `Failed to send the invitation: ${messageOf(error)}`),
    });
  const takeBack = () =>
    withdraw.mutate(member.id, {
      onSuccess: () => {
        resend.reset();
        toast.success('Invitation withdrawn');
      },
      onError: (error) => reportFailure(error, `Failed to withdraw the invitation: ${messageOf(error)}`),
    });
  return (
    <Card className="p-4 lg:p-5">
      <h2 className="text-lg font-semibold">Invitation</h2>
      <InvitationStory member={member} />
      <ConfirmEmailBanner className="mt-3" />
      {resend.data?.mail === 'kept' && <MailKept name={member.name} className="mt-3" />}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={resend.isPending} onClick={send}>
          {member.status === 'uninvited' ? 'Send invitation' : 'Send again'}
        </Button>
        {member.status !== 'uninvited' && (
          <Button tone="quiet" busy={withdraw.isPending} onClick={takeBack}>
            Withdraw
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Never says 'sent': on a server without mail the link was only kept. */
function InvitationStory({ member: { status, email, invited_at: sent, invitation_expires_at: until } }: { member: StaffMember }) {
  if (status === 'uninvited') {
    return (
      <p className="mt-1 text-base text-ink-2 [overflow-wrap:anywhere]">
        There is no link that works. They can join once you send a new one to {email}.
      </p>
    );
  }
  return (
    <dl className="mt-1 text-base text-ink-2 [&_dt]:inline [&_dt]:text-ink-3 [&_dd]:inline [&_dd]:[overflow-wrap:anywhere]">
      <div>
        <dt>For </dt>
        <dd>{email}</dd>
      </div>
      {sent && (
        <div>
          <dt>Made </dt>
          <dd>{localDateTime(sent)}</dd>
        </div>
      )}
      {until && (
        <div>
          <dt>{status === 'expired' ? 'Worked until ' : 'Works until '}</dt>
          <dd>{localDateTime(until)}</dd>
        </div>
      )}
    </dl>
  );
}
