import { useEffect, useRef, useState } from 'react';
import { toast } from './toast.ts';

const NOT_LOADED = "Couldn't load this. Check your connection or reload the page.";
const RETRY_MS = 5_000;

/**
 * A module that is loaded when it is first wanted. Unlike with React's lazy, a failure does not break the page: it is reported,
 * `onError` is called, and while the module is still wanted it is tried again, at once when the browser is back online.
 */
export function useLazyModule<Module>(load: () => Promise<Module>, wanted: boolean, onError?: () => void): Module | undefined {
  const [loaded, setLoaded] = useState<{ readonly module: Module }>();
  const latest = useRef({ load, onError });
  useEffect(() => {
    latest.current = { load, onError };
  });
  const missing = wanted && loaded === undefined;
  useEffect(() => {
    if (!missing) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = () => {
      clearTimeout(timer);
      latest.current
        .load()
        .then((module) => stop.signal.aborted || setLoaded({ module }))
        .catch(() => {
          if (stop.signal.aborted) return;
          toast.error(NOT_LOADED);
          timer = setTimeout(attempt, RETRY_MS);
          latest.current.onError?.();
        });
    };
    attempt();
    window.addEventListener('online', attempt, { signal: stop.signal });
    stop.signal.addEventListener('abort', () => clearTimeout(timer));
    return () => stop.abort();
  }, [missing]);
  return loaded?.module;
}

/** The page itself comes first, and what is typed into it. */
export const PREFETCH_DELAY_MS = 5_000;

/** Loads a module some time after the page, so that what it is for opens quickly, and offline too. A failure waits for whoever wants it. */
export function usePrefetch(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), PREFETCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
