import { type QueryClient, useQuery } from '@tanstack/react-query';
import { createFileRoute, isRedirect } from '@tanstack/react-router';
import { signOut } from '../../features/auth/auth.api.ts';
import { ConfirmEmailPage } from '../../features/auth/confirm-email-page.tsx';
import { meQueryOptions } from '../../features/company/company.api.ts';
import { InvitationOffers } from '../../features/staff/invitation-offers.tsx';
import { getErrorMessage, reportFailure } from '../../lib/error-messages.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { requireSignedIn } from '../auth-guard.ts';
import { LoadingPage } from '../fallback-pages.tsx';
import { parseTextParam, toOptionalParams } from '../search-params.ts';
import { handleAccountSwitch } from '../session.ts';

export const Route = createFileRoute('/confirm-email')({
  staticData: { title: 'Confirm your email' },
  validateSearch: (search) => toOptionalParams({ token: parseTextParam(search, 'token') }),
  loader: async ({ context }) => ({ signedInAs: await findSignedInEmail(context.queryClient) }),
  pendingMs: 0,
  pendingComponent: LoadingPage,
  component: ConfirmEmailRoute,
});

/** Returns undefined if nobody is signed in. Doesn't redirect, because the page itself asks people to sign in and come back. */
async function findSignedInEmail(queryClient: QueryClient): Promise<string | undefined> {
  try {
    return (await requireSignedIn(queryClient, '/')).user.email;
  } catch (error) {
    if (isRedirect(error)) return undefined;
    throw error;
  }
}

function ContinueToOnboarding() {
  return (
    <LinkButton to="/onboarding" tone="primary" fullWidth>
      Continue
    </LinkButton>
  );
}

function ConfirmEmailRoute() {
  const { token = '' } = Route.useSearch();
  const { signedInAs } = Route.useLoaderData();
  const navigate = Route.useNavigate();
  const { queryClient } = Route.useRouteContext();
  const { data: me } = useQuery({ ...meQueryOptions, enabled: signedInAs !== undefined });
  const signInToOtherAccount = async () => {
    try {
      await signOut();
    } catch (error) {
      reportFailure(error, getErrorMessage(error));
      return;
    }
    handleAccountSwitch(queryClient);
    await navigate({ to: '/auth', search: { next: `/confirm-email?token=${token}` } });
  };
  return (
    <ConfirmEmailPage
      token={token}
      signedInEmail={signedInAs}
      isSystemAdmin={me?.is_system_admin ?? false}
      noCompanyAction={me?.profile === null ? <InvitationOffers fallback={<ContinueToOnboarding />} /> : undefined}
      onSwitchAccount={signInToOtherAccount}
    />
  );
}
