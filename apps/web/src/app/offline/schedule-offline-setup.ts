import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { PREFETCH_DELAY_MS } from '../../ui/use-lazy-module.ts';

/** Sets up offline support after the first page has loaded, so that the two downloads don't compete on a slow connection. */
export function scheduleOfflineSetup(router: RegisteredRouter, queryClient: QueryClient): void {
  const isBusy = () => document.readyState !== 'complete' || router.state.status === 'pending' || queryClient.isFetching() > 0;
  let isStarted = false;
  const start = async () => {
    if (isStarted) return;
    isStarted = true;
    try {
      const { setUpOfflineSupport } = await import('./set-up-offline-support.ts');
      await setUpOfflineSupport(router, queryClient);
    } catch {
      // Ignored: the setup runs again the next time the app starts.
    }
  };
  const startWhenIdle = () => void setTimeout(() => (isBusy() ? startWhenIdle() : void start()), PREFETCH_DELAY_MS);
  startWhenIdle();
  // Also start when the page is hidden, because the user may leave before the page is ever idle.
  document.addEventListener('visibilitychange', () => document.hidden && void start());
}
