import { createFileRoute, redirect } from '@tanstack/react-router';
import { meQueryOptions } from '../../features/company/company.api.ts';
import { requireSignedIn } from '../auth-guard.ts';
import { Shell } from '../shell/shell.tsx';
import { LoadingPage, ProfileErrorPage } from '../status-pages.tsx';

export const Route = createFileRoute('/_shell')({
  beforeLoad: async ({ context, location, preload }) => {
    if (preload) return;
    const me = await requireSignedIn(context.queryClient, location.href);
    // Refetches `me` in the background if it is stale, in case a live update was missed. The API client handles an ended session.
    context.queryClient.query(meQueryOptions).catch(() => undefined);
    if (me.profile) return;
    // A system administrator without a company can only use the Admin page.
    if (!me.is_system_admin) throw redirect({ to: '/onboarding', replace: true });
    if (location.pathname !== '/admin') throw redirect({ to: '/admin', replace: true });
  },
  component: Shell,
  pendingMs: 0,
  pendingComponent: LoadingPage,
  errorComponent: ProfileErrorPage,
});
