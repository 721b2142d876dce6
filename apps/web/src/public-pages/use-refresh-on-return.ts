import { useEffect, useRef } from 'react';

/** A tab that was out of sight for longer than this reads its record again. */
const FRESH_MS = 30_000;

export function useRefreshOnReturn(refresh: () => Promise<void>): void {
  const readAt = useRef(Number.NaN);
  useEffect(() => {
    if (Number.isNaN(readAt.current)) readAt.current = Date.now();
    const stop = new AbortController();
    const readAgain = () => {
      if (document.visibilityState !== 'visible' || Date.now() - readAt.current < FRESH_MS) return;
      readAt.current = Date.now();
      void refresh();
    };
    document.addEventListener('visibilitychange', readAgain, stop);
    // A page that comes back from the browser's cache of pages.
    window.addEventListener('pageshow', readAgain, stop);
    return () => stop.abort();
  }, [refresh]);
}
