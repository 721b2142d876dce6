import { useRouter } from '@tanstack/react-router';
import { createContext, use, useEffect, useEffectEvent } from 'react';
import { addBackGuard, isFirstEntry } from './back-guard.ts';

/** Number of overlays around a component. Each overlay with forms provides the next number to its content. */
export const OverlayDepthContext = createContext(0);

interface OpenOverlay {
  readonly depth: number;
  readonly close: () => void;
}

/** The overlays that Back closes, in the order in which they opened. */
const openOverlays: OpenOverlay[] = [];

/** Returns how many overlays are open on top of each other. Overlays from which Back returns to another URL don't count. */
export const getOpenOverlayDepth = () => Math.max(0, ...openOverlays.map(({ depth }) => depth));

/**
 * Makes Back close an open overlay instead of leaving the page. An overlay that has its own URL needs this only on the first page of a tab:
 * on later ones, Back returns to the URL without the overlay.
 */
export function useCloseOnBack(open: boolean, close: () => void, hasOwnUrl = false): void {
  const { history } = useRouter();
  const depth = use(OverlayDepthContext) + 1;
  const closeOverlay = useEffectEvent(close);
  useEffect(() => {
    if (!open || (hasOwnUrl && !isFirstEntry(history.location.state))) return undefined;
    const overlay: OpenOverlay = { depth, close: () => closeOverlay() };
    openOverlays.push(overlay);
    addBackGuard(history, openOverlays);
    const unblock = history.block({
      blockerFn: ({ action }) => {
        if (action === 'BACK') openOverlays.at(-1)?.close();
        return action === 'BACK';
      },
      enableBeforeUnload: false,
    });
    return () => {
      unblock();
      openOverlays.splice(openOverlays.indexOf(overlay), 1);
    };
  }, [open, history, hasOwnUrl, depth]);
}
