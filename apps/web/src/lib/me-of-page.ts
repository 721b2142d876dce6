/** Longer after the page has started, somebody may have changed it: a page that asks late asks the server. */
const MAX_AGE_MS = 5_000;

/** Takes the answer to GET /api/me that the server has written into the page out of it. It is given once: later it may be another. */
export function readMeOfPage(): () => Response | undefined {
  const element = document.getElementById('me');
  element?.remove();
  let written = element?.textContent;
  const readAt = Date.now();
  return () => {
    const text = written;
    written = undefined;
    if (text === undefined || Date.now() - readAt > MAX_AGE_MS) return undefined;
    const { status, body } = JSON.parse(text) as { status: number; body: unknown };
    return Response.json(body, { status });
  };
}
