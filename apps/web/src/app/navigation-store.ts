import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { browserStorage } from '../lib/browser-storage.ts';
import { clearTimeZones } from '../lib/time-zone.ts';

const MAX_KEPT = 50;

interface Navigation {
  /** URLs, the latest last. */
  history: readonly string[];
  /** Pixels from the top, by URL. */
  scrollPositions: Readonly<Record<string, number>>;
  /** Ids of menu entries; null is the default order. */
  menuOrder: readonly string[] | null;
}

interface NavigationStore extends Navigation {
  visit: (url: string) => void;
  keepScroll: (url: string, top: number) => void;
  setMenuOrder: (order: readonly string[] | null) => void;
}

const EMPTY: Navigation = { history: [], scrollPositions: {}, menuOrder: null };

export const useNavigation = create<NavigationStore>()(
  persist(
    (set) => ({
      ...EMPTY,
      visit: (url) => set(({ history }) => (history.at(-1) === url ? {} : { history: [...history, url].slice(-MAX_KEPT) })),
      keepScroll: (url, top) =>
        set(({ scrollPositions }) => {
          const others = Object.entries(scrollPositions).filter(([other]) => other !== url);
          const latest: [string, number][] = [...others, [url, Math.round(top)]];
          return { scrollPositions: Object.fromEntries(latest.slice(-MAX_KEPT)) };
        }),
      setMenuOrder: (menuOrder) => set({ menuOrder }),
    }),
    {
      name: 'callout-navigation',
      version: 1,
      storage: browserStorage(),
      partialize: ({ history, scrollPositions, menuOrder }) => ({ history, scrollPositions, menuOrder }),
    },
  ),
);

/** The keys of timer and calendar: the code that owns them may not be loaded when a session ends. */
const OTHER_STORES = ['callout-timer', 'callout-calendar'];

/** When a session ends, nothing of it stays in the browser. */
export function clearLocalStores(): void {
  useNavigation.setState(EMPTY);
  useNavigation.persist.clearStorage();
  clearTimeZones();
  for (const name of OTHER_STORES) localStorage.removeItem(name);
}
