import type { AnyRoute, RegisteredRouter } from '@tanstack/react-router';

const CHUNK_LOAD_ERROR = 'ChunkLoadError';

/** Returns true if a page's code failed to load because there is no connection or an update has replaced the file. */
export const isChunkLoadError = (error: unknown) => error instanceof Error && error.name === CHUNK_LOAD_ERROR;

/** Renames the errors of failed imports. Otherwise the router would recognize the browser's message and reload the tab, even offline. */
function tagChunkLoadErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = CHUNK_LOAD_ERROR;
    payload.message = `Failed to load the page's code: ${payload.message}`;
  });
}

/** Loads the current page's code in parallel with the request for the signed-in user. */
function preloadCurrentPage(router: RegisteredRouter): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of routes) void tryLoadRouteChunk(router, route);
}

export async function tryLoadRouteChunk(router: RegisteredRouter, route: AnyRoute): Promise<boolean> {
  try {
    await router.loadRouteChunk(route);
    return true;
  } catch {
    // Not reported: if the user opens this route, its error page shows the failure.
    return false;
  }
}

export function startLoadingChunks(router: RegisteredRouter): void {
  tagChunkLoadErrors();
  preloadCurrentPage(router);
}
