import type { QueryClient } from '@tanstack/react-query';
import { createFileRoute, isRedirect } from '@tanstack/react-router';
import { ConfirmEmailPage } from '../../features/auth/confirm-email-page.tsx';
import { requireSignedIn } from '../guard.ts';
import { Loading } from '../pages/loading.tsx';
import { present, textParam } from '../search-params.ts';

export const Route = createFileRoute('/confirm-email')({
  staticData: { title: 'Confirm your email' },
  validateSearch: (search) => present({ token: textParam(search, 'token') }),
  loader: async ({ context }) => ({ signedInAs: await signedInEmail(context.queryClient) }),
  pendingMs: 0,
  pendingComponent: Loading,
  component: ConfirmEmailRoute,
});

/** Asked anew each time: whoever had to sign in first comes back here. The page itself says why they have to. */
async function signedInEmail(queryClient: QueryClient): Promise<string | undefined> {
  try {
    return (await requireSignedIn(queryClient, '/')).user.email;
  } catch (error) {
    if (isRedirect(error)) return undefined;
    throw error;
  }
}

function ConfirmEmailRoute() {
  const { token = '' } = Route.useSearch();
  const { signedInAs } = Route.useLoaderData();
  return <ConfirmEmailPage token={token} signedInAs={signedInAs} />;
}
