import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ASK_FOR_LINK_MESSAGE } from '../../lib/unsent-mail.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { requestEmailConfirmation } from '../auth/auth-account.api.ts';
import { meQueryOptions } from '../company/company.api.ts';
import { myInvitationsQueryOptions, useJoinCompany } from './staff-invitation.api.ts';

interface InvitationOffersProps {
  /** Offers only this company. */
  companyId?: string;
  fallback?: ReactNode;
}

/** Offers to join companies that invited people before they signed up on their own. Renders `fallback` if there are none. */
export function InvitationOffers({ companyId, fallback = null }: InvitationOffersProps) {
  // Only reads the cache, because the surrounding page loads this query and reports its errors.
  const { data: me } = useQuery({ ...meQueryOptions, enabled: false });
  const { data, isPending } = useQuery({ ...myInvitationsQueryOptions, enabled: me !== undefined });
  if (!me || !data?.open) return isPending ? null : fallback;
  const companies = data.companies.filter(({ company_id }) => companyId === undefined || company_id === companyId);
  return (
    <div className="mb-4 space-y-3">
      {companies.map(({ company_id, company_name }) => (
        <JoinCompanyOffer key={company_id} id={company_id} name={company_name ?? 'A company'} hasCompany={me.profile !== null} />
      ))}
      {data.companies.length === 0 && <ConfirmEmailOffer email={me.user.email} />}
    </div>
  );
}

function JoinCompanyOffer({ id, name, hasCompany }: { id: string; name: string; hasCompany: boolean }) {
  const navigate = useNavigate();
  // Skips the unsaved-changes dialog, because people who join no longer need the half-filled form for their own company.
  const join = useJoinCompany(name, () => void navigate({ to: '/dashboard', replace: true, ignoreBlocker: true }));
  return (
    <Banner
      actions={
        <Button tone="primary" busy={join.isPending} onClick={() => join.mutate(id)}>
          Join {name}
        </Button>
      }
    >
      {name} invited you. {hasCompany && <ReplacedCompanyWarning />}
    </Banner>
  );
}

/** Asks people to confirm their email address. Until then, the company's name stays hidden. */
function ConfirmEmailOffer({ email }: { email: string }) {
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
      {outcome === 'kept' && ASK_FOR_LINK_MESSAGE}
    </Banner>
  );
}

/** Warns people who started setting up their own company that joining deletes it. */
export function ReplacedCompanyWarning() {
  return <>You started setting up a company with this email. Joining deletes that company and everything in it.</>;
}
