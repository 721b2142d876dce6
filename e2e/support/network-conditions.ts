import type { Page } from '@playwright/test';

const SLOW_NETWORK = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** Limits the page to 400 kbit/s with a latency of 400 ms. The returned `setOffline` disconnects or reconnects the page. */
export async function throttleNetwork(page: Page): Promise<{ setOffline: (offline: boolean) => Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  const setOffline = async (offline: boolean) => {
    await session.send('Network.emulateNetworkConditions', { offline, ...SLOW_NETWORK });
  };
  await setOffline(false);
  return { setOffline };
}

/** Lets requests reach the server but drops all responses except those to GET. Returns a function that lets responses through again. */
export async function dropResponses(page: Page, url: RegExp): Promise<() => Promise<void>> {
  await page.route(url, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  return () => page.unroute(url);
}
