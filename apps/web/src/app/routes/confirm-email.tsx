import { type QueryClient, useQuery } from '@tanstack/react-query';
import { createFileRoute, isRedirect } from '@tanstack/react-router';
import { signOut } from '../../features/auth/auth.api.ts';
import { ConfirmEmailPage } from '../../features/auth/confirm-email-page.tsx';
import { meQuery } from '../../features/company/company.api.ts';
import { InvitationOffer } from '../../features/staff/invitation-offer.tsx';
import { messageOf, reportFailure } from '../../lib/error-messages.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { requireSignedIn } from '../guard.ts';
import { present, textParam } from '../search-params.ts';
import { switchAccount } from '../session.ts';
import { Loading } from '../status-pages.tsx';

export const Route = createFileRoute('/confirm-email')({
  staticData: { title: 'Confirm your email' },
  validateSearch: (search) => present({ token: textParam(search, 'token') }),
  loader: async ({ context }) => ({ signedInAs: await signedInEmail(context.queryClient) }),
  pendingMs: 0,
  pendingComponent: Loading,
  component: ConfirmEmailRoute,
});

/** Read each time the page opens: people who had to sign in first come back here. The page itself explains why they had to. */
async function signedInEmail(queryClient: QueryClient): Promise<string | undefined> {
  try {
    return (await requireSignedIn(queryClient, '/')).user.email;
  } catch (error) {
    if (isRedirect(error)) return undefined;
    throw error;
  }
}

/** To the form of a company of their own. */
function Continue() {
  return (
    <LinkButton to="/onboarding" tone="primary" wide>
      Continue
    </LinkButton>
  );
}

function ConfirmEmailRoute() {
  const { token = '' } = Route.useSearch();
  const { signedInAs } = Route.useLoaderData();
  const navigate = Route.useNavigate();
  const { queryClient } = Route.useRouteContext();
  const { data: me } = useQuery({ ...meQuery, enabled: signedInAs !== undefined });
  const signInAsOther = async () => {
    try {
      await signOut();
    } catch (error) {
      reportFailure(error, messageOf(error));
      return;
    }
    switchAccount(queryClient);
    await navigate({ to: '/auth', search: { next: `/confirm-email?token=${token}` } });
  };
  return (
    <ConfirmEmailPage
      token={token}
      signedInAs={signedInAs}
      isSystemAdmin={me?.is_system_admin ?? false}
      withoutCompany={me?.profile === null ? <InvitationOffer otherwise={<Continue />} /> : undefined}
      onSwitchAccount={signInAsOther}
    />
  );
}
