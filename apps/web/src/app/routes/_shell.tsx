import { createFileRoute, redirect } from '@tanstack/react-router';
import { meQueryOptions } from '../../features/company/company.api.ts';
import { requireSignedIn } from '../auth-guard.ts';
import { LoadingPage, ProfileErrorPage } from '../fallback-pages.tsx';
import { Shell } from '../shell/shell.tsx';

export const Route = createFileRoute('/_shell')({
  beforeLoad: async ({ context, location, preload }) => {
    if (preload) return;
    const me = await requireSignedIn(context.queryClient, location.href);
    // Refetch stale `me` data in the background, in case a live update was missed. The API client reports an ended session.
    context.queryClient.query(meQueryOptions).catch(() => undefined);
    if (me.profile) return;
    // Without a company, a system administrator can use only the Admin page. Everyone else must create a company first.
    if (!me.is_system_admin) throw redirect({ to: '/onboarding', replace: true });
    if (location.pathname !== '/admin') throw redirect({ to: '/admin', replace: true });
  },
  component: Shell,
  pendingMs: 0,
  pendingComponent: LoadingPage,
  errorComponent: ProfileErrorPage,
});
