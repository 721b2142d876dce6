import type { AnyRoute, RegisteredRouter } from '@tanstack/react-router';

const CHUNK_ERROR = 'ChunkLoadError';

/** The code of a page could not be loaded: no connection, or an update has replaced it. */
export const isChunkError = (error: unknown) => error instanceof Error && error.name === CHUNK_ERROR;

/** Gives a failed import a name of its own. The router reloads the tab when it recognizes the browser's message, also offline. */
function nameChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = CHUNK_ERROR;
    payload.message = `The code of a page could not be loaded: ${payload.message}`;
  });
}

/** Loads the code of the page in the URL while it is still being asked who is signed in. */
function loadFirstPage(router: RegisteredRouter): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of routes) void loadChunk(router, route);
}

export async function loadChunk(router: RegisteredRouter, route: AnyRoute): Promise<boolean> {
  try {
    await router.loadRouteChunk(route);
    return true;
  } catch {
    // Whoever opens the page is told.
    return false;
  }
}

export function startLoadingChunks(router: RegisteredRouter): void {
  nameChunkErrors();
  loadFirstPage(router);
}
