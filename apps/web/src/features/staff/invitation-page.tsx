import { useQuery } from '@tanstack/react-query';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AuthFrame } from '../auth/auth-frame.tsx';
import { AcceptInvitationForm } from './accept-invitation-form.tsx';
import { ReplacedCompany } from './invitation-offer.tsx';
import { invitationOptions } from './staff-invitation.api.ts';

interface InvitationPageProps {
  token: string;
  /** The email of whoever is signed in, in this browser. */
  signedInAs: string | undefined;
  onJoined: () => void;
}

/** The page that an invitation link opens. */
export function InvitationPage({ token, signedInAs, onJoined }: InvitationPageProps) {
  const query = useQuery({ ...invitationOptions(token), enabled: token !== '' });
  const { data: invitation, error, refetch } = query;
  if (token === '' || hasCode(error, 'LINK_EXPIRED') || hasCode(error, 'INVALID_INPUT'))
    return <EndedInvitation isSignedIn={signedInAs !== undefined} />;
  if (invitation) {
    return (
      <AuthFrame title={`Join ${invitation.company_name ?? 'your company'}`}>
        {signedInAs && signedInAs !== invitation.email.toLowerCase() && (
          <Banner tone="warn" className="mb-4">
            You're signed in as {signedInAs}. Accepting will sign you in as {invitation.email}.
          </Banner>
        )}
        {invitation.replaces_company && (
          <Banner tone="warn" className="mb-4">
            <ReplacedCompany />
          </Banner>
        )}
        {invitation.leaves_company && (
          <Banner tone="warn" className="mb-4">
            This email is used at another company. Joining moves it here: that company keeps its data, but you can no longer open it with
            this email.
          </Banner>
        )}
        <AcceptInvitationForm token={token} invitation={invitation} onJoined={onJoined} onEnded={() => void refetch()} />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Your invitation">
      <QueryView query={query} skeleton={<InvitationSkeleton />} message={messageOf}>
        {() => null}
      </QueryView>
    </AuthFrame>
  );
}

function EndedInvitation({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <AuthFrame title="This invitation no longer works">
      <div className="space-y-4">
        <p className="text-base text-ink-2">
          This link has already been used, has expired, or was replaced by a newer one.{' '}
          {isSignedIn ? 'If you have already joined, go on to the dashboard.' : 'If you have already joined, sign in.'} Otherwise look for a
          newer email, or ask your company to send the invitation again.
        </p>
        <LinkButton to={isSignedIn ? '/dashboard' : '/auth'} tone="primary" wide>
          {isSignedIn ? 'Go to the dashboard' : 'Sign in'}
        </LinkButton>
      </div>
    </AuthFrame>
  );
}

const FIELDS = ['email', 'password', 'confirm'];

function InvitationSkeleton() {
  return (
    <div role="status" className="space-y-4">
      <span className="sr-only">Loading...</span>
      <Skeleton className="h-10" />
      {FIELDS.map((field) => (
        <div key={field}>
          <Skeleton className="mb-2 h-4 w-28" />
          <Skeleton className="h-11 lg:h-9" />
        </div>
      ))}
      <Skeleton className="h-11 lg:h-9" />
    </div>
  );
}
