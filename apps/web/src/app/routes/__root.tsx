import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { useLazily } from '../../ui/use-lazily.ts';
import { Loading } from '../pages/loading.tsx';
import { PageTitles } from '../shell/page-titles.tsx';

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  pendingComponent: Loading,
});

function Root() {
  // Not needed for the first paint, and there long before anything can have gone wrong.
  const messages = useLazily(() => import('../../ui/toasts.tsx'), true);
  return (
    <>
      <PageTitles />
      <Outlet />
      {messages && <messages.Toasts />}
    </>
  );
}
