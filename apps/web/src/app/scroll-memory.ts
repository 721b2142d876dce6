import type { RegisteredRouter } from '@tanstack/react-router';
import { useNavigation } from './navigation-store.ts';

/** How long a page may take to grow to the height it had. */
const PATIENCE_MS = 3_000;
const BY_HAND = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Scrolls there as soon as the page is long enough, unless the person scrolls first. */
function restore(top: number): void {
  const page = document.documentElement;
  const reached = () => {
    window.scrollTo(0, top);
    return Math.abs(window.scrollY - top) < 2;
  };
  if (reached()) return;
  const stop = new AbortController();
  const observer = new ResizeObserver(() => {
    if (page.scrollHeight - window.innerHeight >= top && reached()) stop.abort();
  });
  stop.signal.addEventListener('abort', () => observer.disconnect());
  for (const event of BY_HAND) window.addEventListener(event, () => stop.abort(), { signal: stop.signal, passive: true });
  setTimeout(() => stop.abort(), PATIENCE_MS);
  observer.observe(document.body);
}

/**
 * Back and forward, a reload, and lists by whatever way lead to where one was; a new page starts at its top, and so does a list
 * that was filtered or sorted anew.
 */
export function rememberScroll(router: RegisteredRouter): void {
  window.history.scrollRestoration = 'manual';
  let comingBack = true;
  const kept = (href: string) => useNavigation.getState().scrollPositions[href] ?? 0;
  // The signed-in page that shows. Of pages outside the shell nothing may stay behind, least of all an address with a token.
  let shown: string | undefined;
  const look = () => {
    shown = router.state.matches.some(({ routeId }) => routeId === '/_shell') ? router.state.location.href : undefined;
  };
  const keep = () => {
    if (shown !== undefined) useNavigation.getState().keepScroll(shown, window.scrollY);
  };

  router.history.subscribe(({ action }) => {
    comingBack = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO';
  });
  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) keep();
  });
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged, hrefChanged }) => {
    look();
    const isList = router.state.matches.at(-1)?.staticData.keepsScroll === true;
    if (fromLocation && !pathChanged) {
      if (hrefChanged && isList) window.scrollTo(0, 0);
      return;
    }
    const returns = comingBack || isList;
    restore(returns ? kept(toLocation.href) : 0);
    comingBack = false;
  });
  look();
  if (window.scrollY === 0) restore(kept(router.state.location.href));
  window.addEventListener('pagehide', keep);
}
