import { useEffect, useRef, useState } from 'react';
import { toast } from './toast.ts';

const LOAD_FAILED_MESSAGE = "Couldn't load this. Check your connection or reload the page.";
const RETRY_DELAY_MS = 5_000;

/**
 * Loads a module when it is first needed. Unlike with React.lazy, a failure doesn't break the page: the failure is reported, `onError` is
 * called, and the load is retried while the module is needed, immediately if the browser comes back online.
 */
export function useLazyModule<Module>(load: () => Promise<Module>, isNeeded: boolean, onError?: () => void): Module | undefined {
  const [loaded, setLoaded] = useState<{ readonly module: Module }>();
  const latest = useRef({ load, onError });
  useEffect(() => {
    latest.current = { load, onError };
  });
  const isMissing = isNeeded && loaded === undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = () => {
      clearTimeout(timer);
      latest.current
        .load()
        .then((module) => stop.signal.aborted || setLoaded({ module }))
        .catch(() => {
          if (stop.signal.aborted) return;
          toast.error(LOAD_FAILED_MESSAGE);
          timer = setTimeout(attempt, RETRY_DELAY_MS);
          latest.current.onError?.();
        });
    };
    attempt();
    window.addEventListener('online', attempt, { signal: stop.signal });
    stop.signal.addEventListener('abort', () => clearTimeout(timer));
    return () => stop.abort();
  }, [isMissing]);
  return loaded?.module;
}

/** Gives page loading and typing priority over prefetching. */
export const PREFETCH_DELAY_MS = 5_000;

/** Loads a module a while after the page, so that its feature opens quickly, even offline. Opening the feature retries a failed load. */
export function usePrefetch(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), PREFETCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
