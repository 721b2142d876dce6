import type { AnyRouteMatch, RegisteredRouter, RouterHistory } from '@tanstack/react-router';
import { useNavigationStore } from './navigation-store.ts';

/** How long to wait for a page to grow back to its previous height. After that, the scroll position isn't restored. */
const RESTORE_TIMEOUT_MS = 3_000;
const USER_INPUT_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Creates a scroller that waits until the page is tall enough. User input or a newer scroll request cancels the wait. */
function createDeferredScroller() {
  let pending: AbortController | undefined;

  const cancel = () => pending?.abort();
  const scrollTo = (top: number) => {
    cancel();
    const tryScroll = () => {
      window.scrollTo(0, top);
      return Math.abs(window.scrollY - top) < 2;
    };
    if (tryScroll()) return;
    const attempt = new AbortController();
    pending = attempt;
    const observer = new ResizeObserver(() => {
      if (document.documentElement.scrollHeight - window.innerHeight >= top && tryScroll()) attempt.abort();
    });
    const timer = setTimeout(cancel, RESTORE_TIMEOUT_MS);
    attempt.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      observer.disconnect();
      pending = undefined;
    });
    for (const event of USER_INPUT_EVENTS) window.addEventListener(event, cancel, { signal: attempt.signal, passive: true });
    observer.observe(document.body);
  };
  return { scrollTo, cancel, isPending: () => pending !== undefined };
}

/** The part of the router that scroll restoration uses. */
interface ScrollRouter {
  readonly history: RouterHistory;
  readonly state: {
    readonly matches: readonly Pick<AnyRouteMatch, 'routeId' | 'staticData'>[];
    readonly location: { readonly href: string };
  };
  readonly subscribe: RegisteredRouter['subscribe'];
}

/** Returns true if this tab was reloaded or reached by Back or Forward, rather than newly opened. */
function isReloadOrBackForward(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return entry !== undefined && 'type' in entry && entry.type !== 'navigate';
}

/**
 * Restores the scroll position on back, forward and reload, and for lists on every visit. New pages and newly filtered or sorted lists
 * start at the top. `onStore` runs whenever a position is stored, while its page is still on screen.
 */
export function setUpScrollRestoration(router: ScrollRouter, onStore: () => void = () => undefined): void {
  window.history.scrollRestoration = 'manual';
  const scroller = createDeferredScroller();
  // Tabs share the stored positions, but a newly opened tab restores only positions it has stored itself.
  const usesStored = isReloadOrBackForward();
  const storedHrefs = new Set<string>();
  let isBack = usesStored;
  // Undefined outside the shell, where URLs may contain a token and must not be stored.
  let displayedHref: string | undefined;

  const getStoredPosition = (href: string) =>
    usesStored || storedHrefs.has(href) ? (useNavigationStore.getState().scrollPositions[href] ?? 0) : 0;
  const updateDisplayedHref = () => {
    displayedHref = router.state.matches.some(({ routeId }) => routeId === '/_shell') ? router.state.location.href : undefined;
  };
  const storePosition = () => {
    if (displayedHref === undefined || scroller.isPending()) return;
    storedHrefs.add(displayedHref);
    useNavigationStore.getState().saveScrollPosition(displayedHref, window.scrollY);
    onStore();
  };

  router.history.subscribe(({ action }) => {
    isBack = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO';
  });
  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    storePosition();
    scroller.cancel();
  });
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged, hrefChanged }) => {
    updateDisplayedHref();
    const isList = router.state.matches.at(-1)?.staticData.restoresScroll === true;
    if (fromLocation && !pathChanged) {
      if (hrefChanged && isList) scroller.scrollTo(0);
      return;
    }
    scroller.scrollTo(isBack || isList ? getStoredPosition(toLocation.href) : 0);
    isBack = false;
  });
  updateDisplayedHref();
  if (window.scrollY === 0) scroller.scrollTo(getStoredPosition(router.state.location.href));
  window.addEventListener('pagehide', storePosition);
}
