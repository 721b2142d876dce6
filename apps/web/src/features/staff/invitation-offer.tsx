import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { requestEmailConfirmation } from '../auth/auth-account.api.ts';
import { meQuery } from '../company/company.api.ts';
import { myInvitationsQuery, useJoinCompany } from './staff-invitation.api.ts';

/** For who signed up by themselves although a company has invited them: they need no company of their own. */
export function InvitationOffer() {
  const { data: me } = useQuery(meQuery);
  const { data } = useQuery({ ...myInvitationsQuery, enabled: me !== undefined });
  if (!me || !data?.open) return null;
  return (
    <div className="mb-4 space-y-3">
      {data.companies.map(({ company_id, company_name }) => (
        <JoinOffer key={company_id} id={company_id} name={company_name ?? 'A company'} hasCompany={me.profile !== null} />
      ))}
      {data.companies.length === 0 && <ConfirmOffer email={me.user.email} />}
    </div>
  );
}

function JoinOffer({ id, name, hasCompany }: { id: string; name: string; hasCompany: boolean }) {
  const navigate = useNavigate();
  // What was typed for a company of their own is no longer needed.
  const join = useJoinCompany(name, () => void navigate({ to: '/dashboard', replace: true, ignoreBlocker: true }));
  return (
    <Banner
      actions={
        <Button tone="primary" busy={join.isPending} onClick={() => join.mutate(id)}>
          Join {name}
        </Button>
      }
    >
      {name} invited you. {hasCompany && <ReplacedCompany />}
    </Banner>
  );
}

/** Whoever confirms the email is shown who invited it, and joins with one click. */
function ConfirmOffer({ email }: { email: string }) {
  const request = useMutation({
    mutationFn: requestEmailConfirmation,
    meta: { failure: 'Failed to send the confirmation email: {message}' },
  });
  const outcome = request.data?.mail;
  return (
    <Banner
      actions={
        outcome === undefined && (
          <Button busy={request.isPending} onClick={() => request.mutate()}>
            Send confirmation email
          </Button>
        )
      }
    >
      {outcome === undefined && 'A company invited you. Confirm your email address to join it.'}
      {outcome === 'queued' && `We sent a link to ${email}. Open it to confirm your email, then come back here.`}
      {outcome === 'kept' && "Email isn't set up on this server, so nothing was sent. Ask your administrator for the link."}
    </Banner>
  );
}

/** Before somebody joins a company who has started one of their own and never finished setting it up. */
export function ReplacedCompany() {
  return <>You started setting up a company with this email. Joining deletes that company and everything in it.</>;
}
