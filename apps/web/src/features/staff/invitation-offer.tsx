import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { requestEmailConfirmation } from '../auth/auth-account.api.ts';
import { meQuery } from '../company/company.api.ts';
import { myInvitationsQuery, useJoinCompany } from './staff-invitation.api.ts';

/** For people who signed up on their own although a company has invited them. `otherwise` shows when none has. */
export function InvitationOffer({ otherwise = null }: { otherwise?: ReactNode }) {
  // The page around it reads it, and says what failed.
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const { data, isPending } = useQuery({ ...myInvitationsQuery, enabled: me !== undefined });
  if (!me || !data?.open) return isPending ? null : otherwise;
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
  // Skips the unsaved-changes question: what they typed for a company of their own is no longer needed.
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

/** After confirming their email they see who invited them, and join with one click. */
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

/** The warning for people who started a company of their own and never finished setting it up. */
export function ReplacedCompany() {
  return <>You started setting up a company with this email. Joining deletes that company and everything in it.</>;
}
