import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { browserStorage } from './browser-storage.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

interface ThemeState {
  choice: ThemeChoice;
  choose: (choice: ThemeChoice) => void;
}

/** Belongs to the device, so it outlives the session. Read before first paint by public/start.js. */
export const useTheme = create<ThemeState>()(
  persist((set) => ({ choice: 'system', choose: (choice) => set({ choice }) }), {
    name: 'callout-theme',
    version: 1,
    storage: browserStorage(),
    partialize: ({ choice }) => ({ choice }),
  }),
);

const DARK = '(prefers-color-scheme: dark)';

/** Applies the choice, changes of the system setting, and choices made in other tabs. Returns how to stop. */
export function followTheme(): () => void {
  const system = window.matchMedia(DARK);
  const apply = () => {
    const { choice } = useTheme.getState();
    const dark = choice === 'dark' || (choice === 'system' && system.matches);
    document.documentElement.dataset['colorScheme'] = dark ? 'dark' : 'light';
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#14191d' : '#ffffff');
  };
  const stop = new AbortController();
  stop.signal.addEventListener('abort', useTheme.subscribe(apply));
  system.addEventListener('change', apply, stop);
  window.addEventListener(
    'storage',
    ({ key }) => {
      if (key === 'callout-theme') void useTheme.persist.rehydrate();
    },
    stop,
  );
  apply();
  return () => stop.abort();
}
