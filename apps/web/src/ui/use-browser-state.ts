import { useCallback, useSyncExternalStore } from 'react';

/** The widths at which the layout changes: 768, 1024 and 1280 px at the usual text size. In rem as in the styles, or they would disagree. */
export const TABLET_UP = '(min-width: 48rem)';
export const DESK_UP = '(min-width: 64rem)';
export const WIDE_UP = '(min-width: 80rem)';

/** On touch devices a focused field would open the keyboard over half the page. */
export const HAS_KEYBOARD = '(hover: hover) and (pointer: fine)';

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

function subscribeToConnection(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Whether the browser has a network connection; it may still not reach the server. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
}
