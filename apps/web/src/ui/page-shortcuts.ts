import { useEffect, useEffectEvent } from 'react';

/** Actions by key, as a lowercase `KeyboardEvent.key`. */
type PageShortcuts = Readonly<Record<string, () => void>>;

let getPageShortcuts: (() => PageShortcuts) | undefined;

/** Registers the page's single-key shortcuts. The shell lists them, and runs them unless the user is typing or has turned them off. */
export function usePageShortcuts(shortcuts: PageShortcuts): void {
  const latest = useEffectEvent(() => shortcuts);
  useEffect(() => {
    const readLatest = () => latest();
    getPageShortcuts = readLatest;
    return () => {
      if (getPageShortcuts === readLatest) getPageShortcuts = undefined;
    };
  }, []);
}

export const findPageShortcut = (key: string): (() => void) | undefined => getPageShortcuts?.()[key];
