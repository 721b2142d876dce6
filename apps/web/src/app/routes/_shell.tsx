import { createFileRoute, redirect } from '@tanstack/react-router';
import { meQuery } from '../../features/company/company.api.ts';
import { requireSignedIn } from '../guard.ts';
import { Shell } from '../shell/shell.tsx';
import { Loading, ProfileErrorPage } from '../status-pages.tsx';

export const Route = createFileRoute('/_shell')({
  beforeLoad: async ({ context, location, preload }) => {
    if (preload) return;
    const me = await requireSignedIn(context.queryClient, location.href);
    // Refetched in the background once stale, because a live update can be missed. An ended session is noticed by the API client.
    context.queryClient.query(meQuery).catch(() => undefined);
    if (me.profile) return;
    // A system administrator may have no company: the administration is their home.
    if (!me.is_system_admin) throw redirect({ to: '/onboarding', replace: true });
    if (location.pathname !== '/admin') throw redirect({ to: '/admin', replace: true });
  },
  component: Shell,
  pendingMs: 0,
  pendingComponent: Loading,
  errorComponent: ProfileErrorPage,
});
