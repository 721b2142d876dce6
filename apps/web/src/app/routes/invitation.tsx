import { createFileRoute, useRouter } from '@tanstack/react-router';
import { InvitationPage } from '../../features/staff/invitation-page.tsx';
import { fetchVisitor } from '../guard.ts';
import { present, textParam } from '../search-params.ts';
import { switchAccount } from '../session.ts';
import { Loading } from '../status-pages.tsx';

export const Route = createFileRoute('/invitation')({
  staticData: { title: 'Invitation' },
  validateSearch: (search) => present({ token: textParam(search, 'token') }),
  loader: async ({ context }) => ({ signedInAs: (await fetchVisitor(context.queryClient))?.user.email }),
  pendingMs: 0,
  pendingComponent: Loading,
  component: InvitationRoute,
});

function InvitationRoute() {
  const { token = '' } = Route.useSearch();
  const { signedInAs } = Route.useLoaderData();
  const router = useRouter();
  const { queryClient } = Route.useRouteContext();
  const joined = () => {
    switchAccount(queryClient);
    router.history.replace('/dashboard');
  };
  return <InvitationPage token={token} signedInAs={signedInAs} onJoined={joined} />;
}
