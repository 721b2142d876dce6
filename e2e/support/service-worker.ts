import type { BrowserContext } from '@playwright/test';

/** Keeps the service worker's installation pending forever. As long as it is pending, pages don't prefetch the code of other pages. */
export const stallServiceWorkerInstall = (context: BrowserContext) =>
  context.addInitScript(() => {
    if ('serviceWorker' in navigator) navigator.serviceWorker.register = () => new Promise(() => undefined);
  });
