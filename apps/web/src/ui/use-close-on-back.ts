import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { createContext, use, useEffect, useEffectEvent } from 'react';

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
    addBackGuard(history);
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

/** Returns true on the page that a tab opened first. The router counts its entries from 0; guard entries keep the count of their page. */
const isFirstEntry = (state: unknown) => hasProperty(state, '__TSR_index') && state.__TSR_index === 0;
const isGuard = (state: unknown) => hasProperty(state, 'isBackGuard');
const getEntryKey = (state: unknown) => (hasProperty(state, '__TSR_key') ? state.__TSR_key : undefined);

function hasProperty<Name extends string>(state: unknown, name: Name): state is Record<Name, unknown> {
  return typeof state === 'object' && state !== null && name in state;
}

/** The first page that has a guard, as an entry of the browser's history. */
let guarded: { readonly history: RouterHistory; readonly entryKey: unknown } | undefined;

/**
 * No event announces Back from a tab's first page, so an overlay there gets a history entry of its own. The entry is added and removed
 * without the router, which would otherwise treat it as a page. It is not removed when the overlay closes in another way: that takes effect
 * later and could undo a navigation that the overlay has just started. Back then skips it.
 */
function addBackGuard(history: RouterHistory): void {
  const current: unknown = window.history.state;
  // The router writes its entries to the browser's history a moment later, so both must be on the first page.
  if (!isFirstEntry(history.location.state) || !isFirstEntry(current) || isGuard(current)) return;
  if (!guarded) window.addEventListener('popstate', skipBackGuard, { capture: true });
  guarded = { history, entryKey: getEntryKey(current) };
  History.prototype.pushState.call(window.history, { ...history.location.state, isBackGuard: true }, '');
}

function skipBackGuard(event: PopStateEvent): void {
  if (!guarded || getEntryKey(event.state) !== guarded.entryKey) return;
  const { state, href } = guarded.history.location;
  if (!isFirstEntry(state)) return;
  // The step was between the page and its guard, so the router has nothing to do.
  event.stopImmediatePropagation();
  if (isGuard(event.state)) return;
  const overlay = openOverlays.at(-1);
  if (!overlay) {
    window.history.back();
    return;
  }
  // Filters may have changed the URL since the guard was added.
  History.prototype.replaceState.call(window.history, state, '', href);
  if (openOverlays.length > 1) addBackGuard(guarded.history);
  overlay.close();
}
