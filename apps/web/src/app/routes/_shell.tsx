import { createFileRoute, redirect } from '@tanstack/react-router';
import { requireSignedIn } from '../guard.ts';
import { Loading } from '../pages/loading.tsx';
import { ProfileErrorPage } from '../pages/profile-error-page.tsx';
import { Shell } from '../shell/shell.tsx';

export const Route = createFileRoute('/_shell')({
  beforeLoad: async ({ context, location, preload }) => {
    if (preload) return;
    const me = await requireSignedIn(context.queryClient, location.href);
    // Whoever administers the system need not have a company.
    if (!me.profile && !(me.is_system_admin && location.pathname === '/admin')) throw redirect({ to: '/onboarding', replace: true });
  },
  component: Shell,
  pendingMs: 0,
  pendingComponent: Loading,
  errorComponent: ProfileErrorPage,
});
