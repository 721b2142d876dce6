import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { requestEmailConfirmation } from '../auth/auth-account.api.ts';
import { meQuery } from '../company/company.api.ts';
import { ReplacedCompany } from './replaced-company.tsx';
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
  const join = useJoinCompany(() => void navigate({ to: '/dashboard', replace: true, ignoreBlocker: true }));
  const press = async () => {
    try {
      await join.mutateAsync(id);
    } catch (error) {
      const gone = hasCode(error, 'NOT_FOUND');
      reportFailure(error, gone ? 'This invitation was withdrawn or has expired.' : `Failed to join ${name}: ${messageOf(error)}`);
    }
  };
  return (
    <Banner
      actions={
        <Button tone="primary" busy={join.isPending} onClick={() => void press()}>
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
    onError: (error) => reportFailure(error, `Failed to send the confirmation email: ${messageOf(error)}`),
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
