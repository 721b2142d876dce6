import { createFileRoute, redirect } from '@tanstack/react-router';
import type { AuthMode } from '../../features/auth/account-forms.tsx';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { fetchVisitor } from '../guard.ts';
import { choiceParam, present, textParam } from '../search-params.ts';
import { switchAccount } from '../session.ts';
import { Loading } from '../status-pages.tsx';

const MODES: readonly AuthMode[] = ['sign-in', 'create-account', 'reset-password'];

export const Route = createFileRoute('/auth')({
  staticData: { title: 'Sign in', focusesField: true },
  validateSearch: (search) =>
    present({
      mode: choiceParam(search, 'mode', MODES),
      reset: String(search['reset']) === 'true' || undefined,
      token: textParam(search, 'token'),
      next: textParam(search, 'next'),
    }),
  beforeLoad: async ({ context, search }) => {
    if (!search.reset && (await fetchVisitor(context.queryClient))) throw redirect({ to: '/dashboard', replace: true });
  },
  pendingMs: 0,
  pendingComponent: Loading,
  component: AuthRoute,
});

function AuthRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { queryClient } = Route.useRouteContext();
  return (
    <AuthPage
      search={search}
      onSearch={(next) => void navigate({ search: present({ ...next }) })}
      // It has ended every session of the account, perhaps the one of this browser.
      onPasswordSet={() => switchAccount(queryClient)}
    />
  );
}
