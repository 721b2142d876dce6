import { createFileRoute, redirect } from '@tanstack/react-router';
import type { AuthMode } from '../../features/auth/auth-forms.tsx';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { findMe } from '../auth-guard.ts';
import { LoadingPage } from '../fallback-pages.tsx';
import { parseChoiceParam, parseTextParam, toOptionalParams } from '../search-params.ts';
import { handleAccountSwitch } from '../session.ts';

const MODES: readonly AuthMode[] = ['sign-in', 'create-account', 'reset-password'];

export const Route = createFileRoute('/auth')({
  staticData: { title: 'Sign in', focusesFirstField: true },
  validateSearch: (search) =>
    toOptionalParams({
      mode: parseChoiceParam(search, 'mode', MODES),
      reset: String(search['reset']) === 'true' || undefined,
      token: parseTextParam(search, 'token'),
      next: parseTextParam(search, 'next'),
    }),
  beforeLoad: async ({ context, search }) => {
    if (!search.reset && (await findMe(context.queryClient))) throw redirect({ to: '/dashboard', replace: true });
  },
  pendingMs: 0,
  pendingComponent: LoadingPage,
  component: AuthRoute,
});

function AuthRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { queryClient } = Route.useRouteContext();
  return (
    <AuthPage
      search={search}
      onSearchChange={(next) => void navigate({ search: toOptionalParams({ ...next }) })}
      // A new password ends all of the account's sessions, possibly including the session in this browser.
      onPasswordSet={() => handleAccountSwitch(queryClient)}
    />
  );
}
