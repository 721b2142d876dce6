import { useRouter } from '@tanstack/react-router';
import { createContext, use, useEffect, useEffectEvent } from 'react';

/** Number of overlays around a component. Each overlay with forms provides the next number to its content. */
export const OverlayDepthContext = createContext(0);

const openDepths: number[] = [];

/** Returns how many overlays are open on top of each other. Overlays that a URL opens don't count, because Back leaves that URL. */
export const getOpenOverlayDepth = () => Math.max(0, ...openDepths);

/** Makes Back close an open overlay instead of leaving the page. On the first page in a tab's history, Back still leaves. */
export function useCloseOnBack(open: boolean, close: () => void): void {
  const { history } = useRouter();
  const depth = use(OverlayDepthContext) + 1;
  const closeOverlay = useEffectEvent(close);
  useEffect(() => {
    if (!open) return undefined;
    openDepths.push(depth);
    const unblock = history.block({
      blockerFn: ({ action }) => {
        if (action === 'BACK') closeOverlay();
        return action === 'BACK';
      },
      enableBeforeUnload: false,
    });
    return () => {
      openDepths.splice(openDepths.indexOf(depth), 1);
      unblock();
    };
  }, [open, history, depth]);
}
