import { createFileRoute, redirect } from '@tanstack/react-router';
import { requireSignedIn } from '../guard.ts';
import { Shell } from '../shell/shell.tsx';
import { Loading, ProfileErrorPage } from '../status-pages.tsx';

export const Route = createFileRoute('/_shell')({
  beforeLoad: async ({ context, location, preload }) => {
    if (preload) return;
    const me = await requireSignedIn(context.queryClient, location.href);
    // A system administrator may have no company.
    if (!me.profile && !(me.is_system_admin && location.pathname === '/admin')) throw redirect({ to: '/onboarding', replace: true });
  },
  component: Shell,
  pendingMs: 0,
  pendingComponent: Loading,
  errorComponent: ProfileErrorPage,
});
