import { useCallback, useEffect, useState } from 'react';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';

export interface SidebarState {
  open: boolean;
  /** From 1024 px up the sidebar stands beside the page; below it slides over it. */
  beside: boolean;
  toggle: () => void;
  close: () => void;
}

export function useSidebar(): SidebarState {
  const beside = useMediaQuery(DESK_UP);
  const [state, setState] = useState({ open: beside, beside });
  if (state.beside !== beside) setState({ open: beside, beside });
  const toggle = useCallback(() => setState(({ open, ...rest }) => ({ ...rest, open: !open })), []);
  const close = useCallback(() => setState((before) => ({ ...before, open: false })), []);

  const over = state.open && !beside;
  useEffect(() => {
    if (!over) return undefined;
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    document.documentElement.classList.add('overflow-hidden');
    window.addEventListener('keydown', escape);
    return () => {
      document.documentElement.classList.remove('overflow-hidden');
      window.removeEventListener('keydown', escape);
    };
  }, [over, close]);
  return { open: state.open, beside, toggle, close };
}
