import type { BrowserContext } from '@playwright/test';

/** The worker that keeps the pages is never there: as long as it is being installed, a page leaves the code of all others to it. */
export const keepInstallingWorker = (context: BrowserContext) =>
  context.addInitScript(() => {
    if ('serviceWorker' in navigator) navigator.serviceWorker.register = () => new Promise(() => undefined);
  });
