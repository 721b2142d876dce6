import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmailPage } from '../../features/auth/confirm-email-page.tsx';
import { visitor } from '../guard.ts';
import { Loading } from '../pages/loading.tsx';
import { present, textParam } from '../search-params.ts';

export const Route = createFileRoute('/confirm-email')({
  staticData: { title: 'Confirm your email' },
  validateSearch: (search) => present({ token: textParam(search, 'token') }),
  loader: async ({ context }) => ({ signedIn: (await visitor(context.queryClient)) !== undefined }),
  pendingMs: 0,
  pendingComponent: Loading,
  component: ConfirmEmailRoute,
});

function ConfirmEmailRoute() {
  const { token = '' } = Route.useSearch();
  const { signedIn } = Route.useLoaderData();
  return <ConfirmEmailPage token={token} signedIn={signedIn} />;
}
