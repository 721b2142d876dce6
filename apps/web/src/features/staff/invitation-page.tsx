import { useQuery } from '@tanstack/react-query';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AuthLayout } from '../auth/auth-layout.tsx';
import { AcceptInvitationForm } from './accept-invitation-form.tsx';
import { InvitationOffers, ReplacedCompanyWarning } from './invitation-offers.tsx';
import { invitationQueryOptions, myInvitationsQueryOptions } from './staff-invitation.api.ts';

interface InvitationPageProps {
  token: string;
  /** Email address of the person signed in to this browser, if any. */
  signedInAs: string | undefined;
  onJoined: () => void;
}

export function InvitationPage({ token, signedInAs, onJoined }: InvitationPageProps) {
  const query = useQuery({ ...invitationQueryOptions(token), enabled: token !== '' });
  const { data: invitation, error, refetch } = query;
  /** True if the person is signed in to the invited account and its email is confirmed, so that they join without a new password. */
  const isInvitedAccount = signedInAs !== undefined && signedInAs === invitation?.email.toLowerCase();
  const { data: mine, isLoading: isCheckingAccount } = useQuery({ ...myInvitationsQueryOptions, enabled: isInvitedAccount });
  const canJoinSignedIn = isInvitedAccount && (mine?.companies.some(({ company_id }) => company_id === invitation.company_id) ?? false);
  if (token === '' || hasErrorCode(error, 'LINK_EXPIRED') || hasErrorCode(error, 'INVALID_INPUT'))
    return <InvalidInvitation isSignedIn={signedInAs !== undefined} />;
  if (invitation) {
    return (
      <AuthLayout title={`Join ${invitation.company_name ?? 'your company'}`}>
        {signedInAs && signedInAs !== invitation.email.toLowerCase() && (
          <Banner tone="warn" className="mb-4">
            You're signed in as {signedInAs}. Accepting will sign you in as {invitation.email}.
          </Banner>
        )}
        {invitation.replaces_company && (
          <Banner tone="warn" className="mb-4">
            <ReplacedCompanyWarning />
          </Banner>
        )}
        {invitation.leaves_company && (
          <Banner tone="warn" className="mb-4">
            This email is used at another company. Joining moves it here: that company keeps its data, but you can no longer open it with
            this email.
          </Banner>
        )}
        {isCheckingAccount && <InvitationSkeleton />}
        {canJoinSignedIn && <InvitationOffers companyId={invitation.company_id} />}
        {!isCheckingAccount && !canJoinSignedIn && (
          <AcceptInvitationForm token={token} invitation={invitation} onJoined={onJoined} onLinkExpired={() => void refetch()} />
        )}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Your invitation">
      <QueryView query={query} skeleton={<InvitationSkeleton />} formatError={getErrorMessage}>
        {() => null}
      </QueryView>
    </AuthLayout>
  );
}

function InvalidInvitation({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <AuthLayout title="This invitation no longer works">
      <div className="space-y-4">
        <p className="text-base text-ink-2">
          This link has already been used, has expired, or was replaced by a newer one.{' '}
          {isSignedIn ? "If you've already joined, go to the dashboard." : "If you've already joined, sign in."} Otherwise, ask your company
          for a new link.
        </p>
        <LinkButton to={isSignedIn ? '/dashboard' : '/auth'} tone="primary" fullWidth>
          {isSignedIn ? 'Go to the dashboard' : 'Sign in'}
        </LinkButton>
      </div>
    </AuthLayout>
  );
}

const SKELETON_FIELDS = ['email', 'password', 'confirm'];

function InvitationSkeleton() {
  return (
    <div role="status" className="space-y-4">
      <span className="sr-only">Loading...</span>
      <Skeleton className="h-10" />
      {SKELETON_FIELDS.map((field) => (
        <div key={field}>
          <Skeleton className="mb-2 h-4 w-28" />
          <Skeleton className="h-11 lg:h-9" />
        </div>
      ))}
      <Skeleton className="h-11 lg:h-9" />
    </div>
  );
}
