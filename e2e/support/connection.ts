import type { Page } from '@playwright/test';

const SLOW = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** 400 kbit/s, and 400 ms until anything answers. The result cuts the connection, or brings it back. */
export async function slowDown(page: Page): Promise<{ setOffline: (offline: boolean) => Promise<void> }> {
  const browser = await page.context().newCDPSession(page);
  const setOffline = async (offline: boolean) => {
    await browser.send('Network.emulateNetworkConditions', { offline, ...SLOW });
  };
  await setOffline(false);
  return { setOffline };
}

/** The server gets the request, but its response is lost on the way. The result ends it. */
export async function dropResponse(page: Page, url: RegExp): Promise<() => Promise<void>> {
  await page.route(url, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  return () => page.unroute(url);
}
