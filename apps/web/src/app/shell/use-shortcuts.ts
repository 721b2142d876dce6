import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { MENU } from '../menu-entries.ts';
import { isTaken, newPageFor } from './shortcut-keys.ts';

/** Time to press the second key of 'G then C'. */
const SECOND_KEY_MS = 1_500;

interface Actions {
  openPalette: () => void;
  openHelp: () => void;
  /** Something that takes keys is opening: a name typed ahead must not be read as commands. */
  paused: boolean;
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('[data-search]');
  search?.focus();
  search?.select();
  return search !== null;
}

/** The keyboard of a desk: Ctrl or Cmd with K, /, N, ?, and G followed by a letter. */
export function useShortcuts({ openPalette, openHelp, paused }: Actions): void {
  const router = useRouter();
  useEffect(() => {
    if (paused) return undefined;
    let goUntil = 0;
    const go = (to: string) => void router.navigate({ to });

    const single: Record<string, () => void> = {
      '/': () => focusSearch() || openPalette(),
      '?': openHelp,
      n: () => {
        const page = newPageFor(router.state.location.pathname);
        if (page) go(page);
        else openPalette();
      },
      g: () => {
        goUntil = Date.now() + SECOND_KEY_MS;
      },
    };

    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && key === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (isTaken(event)) return;
      const entry = Date.now() < goUntil ? MENU.find((candidate) => candidate.key === key) : undefined;
      goUntil = 0;
      const run = entry ? () => go(entry.to) : single[key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [router, openPalette, openHelp, paused]);
}
