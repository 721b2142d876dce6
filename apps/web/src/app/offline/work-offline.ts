import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { PREFETCH_DELAY_MS } from '../../ui/use-lazy-module.ts';
import { prefetchPages } from '../route-chunks.ts';

/** Keeps the application and what it has read for the time without a connection. On a slow one the first page comes first. */
export function workOffline(router: RegisteredRouter, queryClient: QueryClient): void {
  const isBusy = () => document.readyState !== 'complete' || router.state.status === 'pending' || queryClient.isFetching() > 0;
  const stop = new AbortController();
  const start = () => {
    if (stop.signal.aborted) return;
    stop.abort();
    void keepForOffline(router, queryClient);
  };
  const wait = () => void setTimeout(() => (isBusy() ? wait() : start()), PREFETCH_DELAY_MS);
  wait();
  // Whoever only has a quick look finds it again, too.
  document.addEventListener('visibilitychange', () => document.hidden && start(), { signal: stop.signal });
}

async function keepForOffline(router: RegisteredRouter, queryClient: QueryClient): Promise<void> {
  try {
    const [{ keepQueries }, { registerWorker }] = await Promise.all([import('./kept-queries.ts'), import('./worker-updates.ts')]);
    keepQueries(queryClient);
    await registerWorker();
  } catch {
    prefetchPages(router);
  }
}
