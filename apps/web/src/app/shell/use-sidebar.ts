import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { browserStorage } from '../../lib/browser-storage.ts';
import { useBackCloses } from '../../ui/use-back-closes.ts';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';

export interface SidebarState {
  open: boolean;
  /** From 1024 px up (at the usual text size) the sidebar stands beside the page; below it slides over it. */
  beside: boolean;
  toggle: () => void;
  close: () => void;
}

/** Belongs to the device, so it outlives the session. */
const useDeskSidebar = create(
  persist((): { isClosed: boolean } => ({ isClosed: false }), { name: 'callout-sidebar', version: 1, storage: browserStorage() }),
);

export function useSidebar(): SidebarState {
  const beside = useMediaQuery(DESK_UP);
  const { isClosed } = useDeskSidebar();
  const [isOver, setOver] = useState(false);
  if (beside && isOver) setOver(false);
  const open = beside ? !isClosed : isOver;
  const setOpen = (next: boolean) => (beside ? useDeskSidebar.setState({ isClosed: !next }) : setOver(next));

  useBackCloses(isOver, () => setOver(false));
  useEffect(() => {
    if (!isOver) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOver(false);
    };
    document.documentElement.classList.add('overflow-hidden');
    window.addEventListener('keydown', closeOnEscape);
    return () => {
      document.documentElement.classList.remove('overflow-hidden');
      window.removeEventListener('keydown', closeOnEscape);
    };
  }, [isOver]);
  return { open, beside, toggle: () => setOpen(!open), close: () => setOpen(false) };
}
