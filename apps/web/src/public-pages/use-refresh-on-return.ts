import { useEffect, useRef } from 'react';

/** Data older than this is refreshed when the tab becomes visible again. */
const MIN_REFRESH_INTERVAL_MS = 30_000;

export function useRefreshOnReturn(refresh: () => Promise<void>): void {
  const lastReadAt = useRef(Number.NaN);
  useEffect(() => {
    if (Number.isNaN(lastReadAt.current)) lastReadAt.current = Date.now();
    const controller = new AbortController();
    const refreshIfStale = () => {
      if (document.visibilityState !== 'visible' || Date.now() - lastReadAt.current < MIN_REFRESH_INTERVAL_MS) return;
      lastReadAt.current = Date.now();
      void refresh();
    };
    document.addEventListener('visibilitychange', refreshIfStale, controller);
    // `pageshow` also fires when the page is restored from the back/forward cache.
    window.addEventListener('pageshow', refreshIfStale, controller);
    return () => controller.abort();
  }, [refresh]);
}
