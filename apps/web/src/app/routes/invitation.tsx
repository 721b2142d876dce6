import { createFileRoute, useRouter } from '@tanstack/react-router';
import { InvitationPage } from '../../features/staff/invitation-page.tsx';
import { findMe } from '../auth-guard.ts';
import { LoadingPage } from '../fallback-pages.tsx';
import { parseTextParam, toOptionalParams } from '../search-params.ts';
import { handleAccountSwitch } from '../session.ts';

export const Route = createFileRoute('/invitation')({
  staticData: { title: 'Invitation' },
  validateSearch: (search) => toOptionalParams({ token: parseTextParam(search, 'token') }),
  loader: async ({ context }) => ({ signedInAs: (await findMe(context.queryClient))?.user.email }),
  pendingMs: 0,
  pendingComponent: LoadingPage,
  component: InvitationRoute,
});

function InvitationRoute() {
  const { token = '' } = Route.useSearch();
  const { signedInAs } = Route.useLoaderData();
  const router = useRouter();
  const { queryClient } = Route.useRouteContext();
  const openDashboard = () => {
    handleAccountSwitch(queryClient);
    router.history.replace('/dashboard');
  };
  return <InvitationPage token={token} signedInAs={signedInAs} onJoined={openDashboard} />;
}
