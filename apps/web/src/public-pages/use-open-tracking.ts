import { useEffect } from 'react';

/** Time on screen after which an opening counts. Link previews and prerendered pages are never visible, so they don't count. */
const MIN_VISIBLE_MS = 2_000;

/** Reports once that the document was opened, after the page has been visible for `MIN_VISIBLE_MS`. */
export function useOpenTracking(recordOpening: () => Promise<unknown>, isDisplayed: boolean): void {
  useEffect(() => {
    if (!isDisplayed) return undefined;
    const controller = new AbortController();
    let timer: number | undefined;
    const restartTimer = () => {
      window.clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = window.setTimeout(record, MIN_VISIBLE_MS);
    };
    const record = () => {
      controller.abort();
      // Ignored, because a failure doesn't affect the customer.
      recordOpening().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', restartTimer, controller);
    restartTimer();
    return () => {
      controller.abort();
      window.clearTimeout(timer);
    };
  }, [recordOpening, isDisplayed]);
}
