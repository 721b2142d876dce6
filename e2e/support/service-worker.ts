import type { BrowserContext } from '@playwright/test';

/** Stalls the installation of the service worker. Until it ends, pages do not prefetch the code of other pages themselves. */
export const stallServiceWorkerInstall = (context: BrowserContext) =>
  context.addInitScript(() => {
    if ('serviceWorker' in navigator) navigator.serviceWorker.register = () => new Promise(() => undefined);
  });
