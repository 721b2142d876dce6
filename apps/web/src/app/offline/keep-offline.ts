import type { QueryClient } from '@tanstack/react-query';
import type { AnyRoute, RegisteredRouter } from '@tanstack/react-router';
import { loadChunk } from '../route-chunks.ts';
import { keepQueries } from './kept-queries.ts';
import { registerWorker } from './worker-updates.ts';

/** What work-offline.ts starts; loaded once the first page is there. */
export async function keepOffline(router: RegisteredRouter, queryClient: QueryClient): Promise<void> {
  keepQueries(queryClient);
  try {
    await registerWorker();
  } catch {
    prefetchPages(router);
  }
}

/** Where no worker can keep it: loads the code of all other pages, so that they open quickly, and offline too. */
function prefetchPages(router: RegisteredRouter): void {
  const prefetch = async () => {
    const routes: readonly AnyRoute[] = Object.values(router.routesById);
    for (const route of routes) {
      if (!navigator.onLine || !(await loadChunk(router, route))) return;
    }
  };
  void prefetch();
  window.addEventListener('online', () => void prefetch());
}
