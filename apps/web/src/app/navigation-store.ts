import { create } from 'zustand';
import { persist } from 'zustand/middleware';

const KEPT = 50;

interface Navigation {
  /** Addresses, the latest last. */
  history: readonly string[];
  /** Pixels from the top, by address. */
  scrollPositions: Readonly<Record<string, number>>;
  /** Ids of menu entries; null is the default order. */
  menuOrder: readonly string[] | null;
}

interface NavigationStore extends Navigation {
  visit: (address: string) => void;
  keepScroll: (address: string, top: number) => void;
  setMenuOrder: (order: readonly string[] | null) => void;
}

const NOTHING: Navigation = { history: [], scrollPositions: {}, menuOrder: null };

export const useNavigation = create<NavigationStore>()(
  persist(
    (set) => ({
      ...NOTHING,
      visit: (address) => set(({ history }) => (history.at(-1) === address ? {} : { history: [...history, address].slice(-KEPT) })),
      keepScroll: (address, top) =>
        set(({ scrollPositions }) => {
          const others = Object.entries(scrollPositions).filter(([other]) => other !== address);
          const latest: [string, number][] = [...others, [address, Math.round(top)]];
          return { scrollPositions: Object.fromEntries(latest.slice(-KEPT)) };
        }),
      setMenuOrder: (menuOrder) => set({ menuOrder }),
    }),
    {
      name: 'callout-navigation',
      version: 1,
      partialize: ({ history, scrollPositions, menuOrder }) => ({ history, scrollPositions, menuOrder }),
    },
  ),
);

/** Of the timer and of the settings: named here, because neither is loaded when a session ends. */
const OTHER_STORES = ['callout-timer', 'callout-timezone'];

/** At the end of a session nothing of it stays in the browser. */
export function clearLocalStores(): void {
  useNavigation.setState(NOTHING);
  useNavigation.persist.clearStorage();
  for (const store of OTHER_STORES) localStorage.removeItem(store);
}
