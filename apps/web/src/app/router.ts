import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { ErrorPage, NotFoundPage, PageSkeleton } from './fallback-pages.tsx';
import { findCacheOwner } from './offline/cache-owner.ts';
import { isChunkLoadError } from './route-chunks.ts';
import { routeTree } from './route-tree.gen.ts';
import { parseSearch, stringifySearch } from './search-params.ts';

export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    // Off, because the router would scroll to the top whenever a search parameter changes. See scroll-restoration.ts instead.
    scrollRestoration: () => false,
    getScrollRestorationKey: () => 'unused',
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultOnCatch: (error) => {
      if (findCacheOwner() !== undefined && !isChunkLoadError(error)) void reopenWithoutStoredData(queryClient, () => router.invalidate());
    },
  });
  return router;
}

/** Drops what this browser has stored after a page has failed, because the page may not be able to show it, and opens the page again. */
async function reopenWithoutStoredData(queryClient: QueryClient, reopen: () => Promise<void>): Promise<void> {
  try {
    const { dropStoredQueries } = await import('./offline/persisted-queries.ts');
    if (await dropStoredQueries(queryClient)) await reopen();
  } catch {
    // The page keeps its error with a Retry button.
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
