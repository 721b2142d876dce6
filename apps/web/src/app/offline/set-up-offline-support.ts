import type { QueryClient } from '@tanstack/react-query';
import type { AnyRoute, RegisteredRouter } from '@tanstack/react-router';
import { tryLoadRouteChunk } from '../route-chunks.ts';
import { scheduleDayPacks } from './day-pack.ts';
import { persistQueries } from './persisted-queries.ts';
import { registerServiceWorker } from './service-worker-updates.ts';

/** Starts persisting queries and registers the service worker. Loaded after the first page; see schedule-offline-setup.ts. */
export async function setUpOfflineSupport(router: RegisteredRouter, queryClient: QueryClient): Promise<void> {
  persistQueries(queryClient);
  scheduleDayPacks(queryClient);
  try {
    await registerServiceWorker();
  } catch {
    prefetchRouteChunks(router);
  }
}

/** Loads every page's code, so that all pages open offline even in browsers without a service worker. */
function prefetchRouteChunks(router: RegisteredRouter): void {
  const prefetch = async () => {
    const routes: readonly AnyRoute[] = Object.values(router.routesById);
    for (const route of routes) {
      if (!navigator.onLine || !(await tryLoadRouteChunk(router, route))) return;
    }
  };
  void prefetch();
  window.addEventListener('online', () => void prefetch());
}
