/** Maximum age of the preloaded response. An older response may be outdated, so the page requests `me` again. */
const MAX_PRELOAD_AGE_MS = 5_000;

/** Finds the response to GET /api/me that the server embedded in the page. `take` hands it out only once. */
export function createPreloadedMe() {
  const element = document.getElementById('me');
  element?.remove();
  let preloaded = element?.textContent;
  const readAt = Date.now();
  const isAvailable = () => preloaded !== undefined && Date.now() - readAt <= MAX_PRELOAD_AGE_MS;
  const take = (): Response | undefined => {
    const text = isAvailable() ? preloaded : undefined;
    preloaded = undefined;
    if (text === undefined) return undefined;
    const { status, body } = JSON.parse(text) as { status: number; body: unknown };
    return Response.json(body, { status });
  };
  return { isAvailable, take };
}

export const preloadedMe = createPreloadedMe();
