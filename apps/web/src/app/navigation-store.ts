import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from '../lib/browser-storage.ts';
import { clearTimeZones } from '../lib/time-zone.ts';

const MAX_STORED_URLS = 50;

interface NavigationState {
  /** Visited URLs, most recent last. */
  history: readonly string[];
  /** Pixels scrolled from the top, by URL. */
  scrollPositions: Readonly<Record<string, number>>;
  /** Menu entry ids; null means the default order. */
  menuOrder: readonly string[] | null;
}

interface NavigationStore extends NavigationState {
  recordVisit: (url: string) => void;
  saveScrollPosition: (url: string, top: number) => void;
  setMenuOrder: (order: readonly string[] | null) => void;
}

const EMPTY_STATE: NavigationState = { history: [], scrollPositions: {}, menuOrder: null };

export const useNavigationStore = create<NavigationStore>()(
  persist(
    (set) => ({
      ...EMPTY_STATE,
      recordVisit: (url) => set(({ history }) => (history.at(-1) === url ? {} : { history: [...history, url].slice(-MAX_STORED_URLS) })),
      saveScrollPosition: (url, top) =>
        set(({ scrollPositions }) => {
          const others = Object.entries(scrollPositions).filter(([other]) => other !== url);
          const latest: [string, number][] = [...others, [url, Math.round(top)]];
          return { scrollPositions: Object.fromEntries(latest.slice(-MAX_STORED_URLS)) };
        }),
      setMenuOrder: (menuOrder) => set({ menuOrder }),
    }),
    {
      name: 'callout-navigation',
      version: 1,
      storage: createBrowserStorage(),
      partialize: ({ history, scrollPositions, menuOrder }) => ({ history, scrollPositions, menuOrder }),
    },
  ),
);

/** Keys of the timer's and calendar's stores, repeated because the code that defines them may not be loaded when a session ends. */
const OTHER_STORE_KEYS = ['callout-timer', 'callout-calendar'];

/** Clears the navigation history, menu order, time zones, timer and calendar settings that a session stored in this browser. */
export function clearLocalStores(): void {
  useNavigationStore.setState(EMPTY_STATE);
  useNavigationStore.persist.clearStorage();
  clearTimeZones();
  for (const name of OTHER_STORE_KEYS) localStorage.removeItem(name);
}
