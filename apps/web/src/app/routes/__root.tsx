import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { Toasts } from '../../ui/toasts.tsx';
import { LoadingPage } from '../fallback-pages.tsx';
import { PageAnnouncer } from '../page-announcer.tsx';

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  pendingComponent: LoadingPage,
});

function Root() {
  return (
    <>
      <PageAnnouncer />
      <Outlet />
      <Toasts />
    </>
  );
}
