import type { RouterHistory } from '@tanstack/react-router';

/**
 * No event announces Back from a tab's first page, so an overlay there gets a history entry of its own: the guard. Back then moves from the
 * guard to the page, which closes the overlay. Guards are added and skipped without the router, which would treat them as pages.
 */
interface BackGuard {
  readonly history: RouterHistory;
  /** Key of the first page's entry. Its guard has the same key. */
  readonly entryKey: unknown;
  /** The open overlays, with the newest last. */
  readonly overlays: readonly { readonly close: () => void }[];
}

let guard: BackGuard | undefined;

/** Adds a guard if the tab is on its first page and has none. */
export function addBackGuard(history: RouterHistory, overlays: BackGuard['overlays']): void {
  const entry: unknown = window.history.state;
  // The router writes its entries to the browser's history a moment later, so both must be on the first page.
  if (!isFirstEntry(history.location.state) || !isFirstEntry(entry) || isGuardEntry(entry)) return;
  if (!guard) window.addEventListener('popstate', handlePopState, { capture: true });
  guard = { history, entryKey: getEntryKey(entry), overlays };
  History.prototype.pushState.call(window.history, { ...history.location.state, isBackGuard: true }, '');
}

/** Hides steps between the first page and its guard from the router. */
function handlePopState(event: PopStateEvent): void {
  if (!guard || getEntryKey(event.state) !== guard.entryKey || !isFirstEntry(guard.history.location.state)) return;
  event.stopImmediatePropagation();
  if (!isGuardEntry(event.state)) handleBack(guard);
}

/** Handles the step from the guard to the page. */
function handleBack({ history, overlays }: BackGuard): void {
  const newest = overlays.at(-1);
  if (!newest) {
    // The overlay was closed in another way. Its guard stayed, because removing it takes effect later and could undo a navigation that the
    // overlay has just started. So this step is the user leaving the page.
    window.history.back();
    return;
  }
  // Filters may have changed the URL since the guard was added.
  const { state, href } = history.location;
  History.prototype.replaceState.call(window.history, state, '', href);
  if (overlays.length > 1) addBackGuard(history, overlays);
  newest.close();
}

/** Returns true on the page that a tab opened first. The router counts its entries from 0; a guard keeps the count of its page. */
export const isFirstEntry = (state: unknown) => hasProperty(state, '__TSR_index') && state.__TSR_index === 0;
const isGuardEntry = (state: unknown) => hasProperty(state, 'isBackGuard');
const getEntryKey = (state: unknown) => (hasProperty(state, '__TSR_key') ? state.__TSR_key : undefined);

function hasProperty<Name extends string>(state: unknown, name: Name): state is Record<Name, unknown> {
  return typeof state === 'object' && state !== null && name in state;
}
