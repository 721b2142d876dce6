import { useCallback, useSyncExternalStore } from 'react';

/** Layout breakpoints: 768, 1024 and 1280 px at the default text size. They are in rem, so that they always match the styles. */
export const TABLET_UP = '(min-width: 48rem)';
export const DESKTOP_UP = '(min-width: 64rem)';
export const WIDE_DESKTOP_UP = '(min-width: 80rem)';

/** Matches devices on which autofocus is safe. On touch devices, a focused field opens the keyboard over half the page. */
export const FINE_POINTER_QUERY = '(hover: hover) and (pointer: fine)';

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

function subscribeToConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

/** Returns true if the browser has a network connection; the server may still be unreachable. */
export function useOnlineStatus(): boolean {
  return useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
}
