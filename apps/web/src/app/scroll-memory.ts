import type { AnyRouteMatch, RegisteredRouter, RouterHistory } from '@tanstack/react-router';
import { useNavigation } from './navigation-store.ts';

/** How long a page may take to grow to the height it had. */
const RESTORE_TIMEOUT_MS = 3_000;
const USER_INPUT = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Scrolls as soon as the page is long enough, unless the user scrolls or another scroll is asked for first. */
function createScroller() {
  let pending: AbortController | undefined;

  const cancel = () => pending?.abort();
  const scrollTo = (top: number) => {
    cancel();
    const reach = () => {
      window.scrollTo(0, top);
      return Math.abs(window.scrollY - top) < 2;
    };
    if (reach()) return;
    const waiting = new AbortController();
    pending = waiting;
    const observer = new ResizeObserver(() => {
      if (document.documentElement.scrollHeight - window.innerHeight >= top && reach()) waiting.abort();
    });
    const timer = setTimeout(cancel, RESTORE_TIMEOUT_MS);
    waiting.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      observer.disconnect();
      pending = undefined;
    });
    for (const event of USER_INPUT) window.addEventListener(event, cancel, { signal: waiting.signal, passive: true });
    observer.observe(document.body);
  };
  return { scrollTo, cancel, isPending: () => pending !== undefined };
}

/** What is used of the router. */
interface ScrollingRouter {
  readonly history: RouterHistory;
  readonly state: {
    readonly matches: readonly Pick<AnyRouteMatch, 'routeId' | 'staticData'>[];
    readonly location: { readonly href: string };
  };
  readonly subscribe: RegisteredRouter['subscribe'];
}

/** Whether this page was reloaded or reached by back or forward, rather than opened anew. */
function isReturning(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return entry !== undefined && 'type' in entry && entry.type !== 'navigate';
}

/**
 * Back, forward and reload restore the scroll position, and so do lists however they are opened. A new page starts at its top, and so
 * does a list with a new filter or order. `onStore` is called when a position is stored, while the page is still on screen.
 */
export function rememberScroll(router: ScrollingRouter, onStore: () => void = () => undefined): void {
  window.history.scrollRestoration = 'manual';
  const scroller = createScroller();
  // All tabs share the stored positions; a new tab uses only those it has stored itself.
  const usesStored = isReturning();
  const stored = new Set<string>();
  let isBack = usesStored;
  // The page on screen if it is part of the shell: no URL of another page may be stored, least of all one with a token.
  let shown: string | undefined;

  const positionOf = (href: string) => (usesStored || stored.has(href) ? (useNavigation.getState().scrollPositions[href] ?? 0) : 0);
  const updateShown = () => {
    shown = router.state.matches.some(({ routeId }) => routeId === '/_shell') ? router.state.location.href : undefined;
  };
  const storePosition = () => {
    if (shown === undefined || scroller.isPending()) return;
    stored.add(shown);
    useNavigation.getState().keepScroll(shown, window.scrollY);
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
    updateShown();
    const isList = router.state.matches.at(-1)?.staticData.keepsScroll === true;
    if (fromLocation && !pathChanged) {
      if (hrefChanged && isList) scroller.scrollTo(0);
      return;
    }
    scroller.scrollTo(isBack || isList ? positionOf(toLocation.href) : 0);
    isBack = false;
  });
  updateShown();
  if (window.scrollY === 0) scroller.scrollTo(positionOf(router.state.location.href));
  window.addEventListener('pagehide', storePosition);
}
