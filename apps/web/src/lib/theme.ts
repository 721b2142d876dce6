import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from './browser-storage.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

interface ThemeState {
  choice: ThemeChoice;
  setChoice: (choice: ThemeChoice) => void;
}

/** The theme belongs to the device, so it persists after sign-out. public/start.js reads it before first paint. */
export const useTheme = create<ThemeState>()(
  persist((set) => ({ choice: 'system', setChoice: (choice) => set({ choice }) }), {
    name: 'callout-theme',
    version: 1,
    storage: createBrowserStorage(),
    partialize: ({ choice }) => ({ choice }),
  }),
);

const DARK_MODE_QUERY = '(prefers-color-scheme: dark)';

/** Applies the theme and follows changes in this tab, other tabs and the system. Returns a function that stops following. */
export function startThemeSync(): () => void {
  const system = window.matchMedia(DARK_MODE_QUERY);
  const apply = () => {
    const { choice } = useTheme.getState();
    const isDark = choice === 'dark' || (choice === 'system' && system.matches);
    document.documentElement.dataset['colorScheme'] = isDark ? 'dark' : 'light';
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', isDark ? '#14191d' : '#ffffff');
  };
  const controller = new AbortController();
  controller.signal.addEventListener('abort', useTheme.subscribe(apply));
  system.addEventListener('change', apply, controller);
  window.addEventListener(
    'storage',
    ({ key }) => {
      if (key === 'callout-theme') void useTheme.persist.rehydrate();
    },
    controller,
  );
  apply();
  return () => controller.abort();
}
