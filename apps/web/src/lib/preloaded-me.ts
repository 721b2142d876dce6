/** Maximum age of the preloaded response. An older response may be outdated, so the page requests `me` again. */
const MAX_PRELOAD_AGE_MS = 5_000;

/** Reads the response to GET /api/me that the server embedded in the page. The returned function hands out the response only once. */
export function createPreloadedMeReader(): () => Response | undefined {
  const element = document.getElementById('me');
  element?.remove();
  let preloaded = element?.textContent;
  const readAt = Date.now();
  return () => {
    const text = preloaded;
    preloaded = undefined;
    if (text === undefined || Date.now() - readAt > MAX_PRELOAD_AGE_MS) return undefined;
    const { status, body } = JSON.parse(text) as { status: number; body: unknown };
    return Response.json(body, { status });
  };
}
