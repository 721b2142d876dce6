import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { PREFETCH_DELAY_MS } from '../../ui/use-lazy-module.ts';

/** Keeps the application and what it has read for the time without a connection. On a slow one the first page comes first. */
export function workOffline(router: RegisteredRouter, queryClient: QueryClient): void {
  const isBusy = () => document.readyState !== 'complete' || router.state.status === 'pending' || queryClient.isFetching() > 0;
  let isStarted = false;
  const start = async () => {
    if (isStarted) return;
    isStarted = true;
    try {
      const { keepOffline } = await import('./keep-offline.ts');
      await keepOffline(router, queryClient);
    } catch {
      // The connection is gone: the next start tries again.
    }
  };
  const wait = () => void setTimeout(() => (isBusy() ? wait() : void start()), PREFETCH_DELAY_MS);
  wait();
  // Whoever only has a quick look finds it again, too.
  document.addEventListener('visibilitychange', () => document.hidden && void start());
}
