import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export type ThemeChoice = 'system' | 'light' | 'dark';

interface ThemeState {
  choice: ThemeChoice;
  choose: (choice: ThemeChoice) => void;
}

/** Belongs to the device, so it outlives the session. Read before first paint by public/theme.js. */
export const useTheme = create<ThemeState>()(
  persist((set) => ({ choice: 'system', choose: (choice) => set({ choice }) }), {
    name: 'callout-theme',
    version: 1,
    partialize: ({ choice }) => ({ choice }),
  }),
);

const DARK = '(prefers-color-scheme: dark)';

/** Keeps the page in step with the choice, the system, and a choice made in another tab. */
export function followTheme(): void {
  const system = window.matchMedia(DARK);
  const apply = () => {
    const { choice } = useTheme.getState();
    const dark = choice === 'dark' || (choice === 'system' && system.matches);
    document.documentElement.dataset['colorScheme'] = dark ? 'dark' : 'light';
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#14191d' : '#ffffff');
  };
  useTheme.subscribe(apply);
  system.addEventListener('change', apply);
  window.addEventListener('storage', (event) => {
    if (event.key === 'callout-theme') void useTheme.persist.rehydrate();
  });
  apply();
}
