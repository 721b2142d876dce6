import { useCallback, useSyncExternalStore } from 'react';

/** The widths at which the layout changes. */
export const TABLET_UP = '(min-width: 768px)';
export const DESK_UP = '(min-width: 1024px)';
export const WIDE_UP = '(min-width: 1280px)';

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
