import { useEffect } from 'react';

/** Long enough to be a person: link previews and prerendered pages are never looked at. */
const LOOKED_AT_MS = 2_000;

/** Tells the company once that its document was opened, when the page has been visible for a while. */
export function useRecordedOpening(recordOpening: (token: string) => Promise<unknown>, token: string, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined;
    const stop = new AbortController();
    let timer: number | undefined;
    const watch = () => {
      window.clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = window.setTimeout(record, LOOKED_AT_MS);
    };
    const record = () => {
      stop.abort();
      // Nothing depends on it for the customer.
      recordOpening(token).catch(() => undefined);
    };
    document.addEventListener('visibilitychange', watch, stop);
    watch();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [recordOpening, token, isShown]);
}
