import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from '../../lib/browser-storage.ts';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCloseOnBack } from '../../ui/use-close-on-back.ts';

export interface SidebarState {
  isOpen: boolean;
  /** True from 1024 px (at the default text size), where the sidebar sits beside the page. Below that, it slides over the page. */
  isDocked: boolean;
  toggle: () => void;
  close: () => void;
}

/** Whether the sidebar is open is a device setting, so it persists after sign-out. */
const useSidebarStore = create(
  persist((): { isClosed: boolean } => ({ isClosed: false }), { name: 'callout-sidebar', version: 1, storage: createBrowserStorage() }),
);

export function useSidebar(): SidebarState {
  const isDocked = useMediaQuery(DESKTOP_UP);
  const { isClosed } = useSidebarStore();
  const [isOverlayOpen, setOverlayOpen] = useState(false);
  if (isDocked && isOverlayOpen) setOverlayOpen(false);
  const isOpen = isDocked ? !isClosed : isOverlayOpen;
  const setOpen = (next: boolean) => (isDocked ? useSidebarStore.setState({ isClosed: !next }) : setOverlayOpen(next));

  useCloseOnBack(isOverlayOpen, () => setOverlayOpen(false));
  useEffect(() => {
    if (!isOverlayOpen) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOverlayOpen(false);
    };
    document.documentElement.classList.add('overflow-hidden');
    window.addEventListener('keydown', closeOnEscape);
    return () => {
      document.documentElement.classList.remove('overflow-hidden');
      window.removeEventListener('keydown', closeOnEscape);
    };
  }, [isOverlayOpen]);
  return { isOpen, isDocked, toggle: () => setOpen(!isOpen), close: () => setOpen(false) };
}
