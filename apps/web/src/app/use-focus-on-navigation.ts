import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { FINE_POINTER_QUERY } from '../ui/use-browser-state.ts';

/** Generous, because a heading or form may appear only after the page's data has loaded. */
const FOCUS_TIMEOUT_MS = 10_000;
const HEADING_SELECTOR = 'main h1';
const FIELD_SELECTOR =
  'main :is(input, textarea):not([type=hidden], [type=search], [type=radio], [type=checkbox], [type=file], [disabled])';
const DIALOG_SELECTOR = '[role=dialog], [role=alertdialog]';

interface DisplayedPage {
  pathname: string | undefined;
  screenKey: string;
  focusesFirstField: boolean;
  search: string | undefined;
}

/**
 * Moves the focus to the page's heading or first field. Back returns the focus to the link that was followed, so that keyboard users keep
 * their position in a long list. The first page keeps the browser's initial focus unless it starts with a form.
 */
export function useFocusOnNavigation({ pathname, screenKey, focusesFirstField, search }: DisplayedPage): void {
  /** `href` is the URL that opened the page. Filters chosen later are left out, because the link to the page doesn't contain them. */
  const displayedPage = useRef<Pick<DisplayedPage, 'pathname' | 'screenKey'> & { href: string }>(undefined);
  const isBack = useRef(false);
  const { history } = useRouter();
  useEffect(
    () =>
      history.subscribe(({ action: { type } }) => {
        isBack.current = type === 'BACK';
      }),
    [history],
  );
  /** True if the last input was a key press. Only then is a focus ring drawn, not for people who use a mouse or touch. */
  const usesKeyboard = useRef(false);
  useEffect(() => {
    const stop = new AbortController();
    const onPress = ({ type }: Event) => {
      usesKeyboard.current = type === 'keydown';
    };
    for (const event of ['keydown', 'pointerdown']) window.addEventListener(event, onPress, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  useEffect(() => {
    const previous = displayedPage.current;
    const isSamePage = previous !== undefined && previous.pathname === pathname;
    displayedPage.current = { pathname, screenKey, href: isSamePage ? previous.href : history.location.href };
    return focusPage({
      heading: previous !== undefined && previous.screenKey !== screenKey,
      field: focusesFirstField && window.matchMedia(FINE_POINTER_QUERY).matches,
      followedHref: isBack.current && !isSamePage ? previous?.href : undefined,
      focusVisible: usesKeyboard.current,
    });
  }, [history, pathname, screenKey, focusesFirstField, search]);
}

/** Finds the visible link to this URL, or else to its path. Returns undefined if several match: any could be the right one. */
function findFollowedLink(href: string): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLElement>('main a')].filter((link) => link.checkVisibility());
  for (const target of [href, href.split('?')[0]]) {
    const [link, another] = links.filter((candidate) => candidate.getAttribute('href') === target);
    if (link && !another) return link;
  }
  return undefined;
}

interface FocusTargets {
  heading: boolean;
  field: boolean;
  followedHref: string | undefined;
  focusVisible: boolean;
}

/** Waits for a target to render and focuses it, unless the user moves the focus first. Returns a function that stops waiting. */
function focusPage(targets: FocusTargets): () => void {
  if (!targets.heading && !targets.field) return () => undefined;
  const stop = new AbortController();
  /** Usually the link that opened this page, because the previous page may still be on screen. */
  const initiallyFocused = document.activeElement;
  /** The last element that `attempt` focused. If it disappears with the previous page, the search for a target continues. */
  let focused: Element | null = null;

  const attempt = () => {
    if (stop.signal.aborted || document.querySelector(DIALOG_SELECTOR)) return;
    const heading = document.querySelector<HTMLElement>(HEADING_SELECTOR);
    const active = document.activeElement;
    const isInPage = active !== heading && Boolean(active?.closest('main > *'));
    if (isInPage && (active === initiallyFocused || active === focused)) return;
    const field = targets.field ? document.querySelector<HTMLElement>(FIELD_SELECTOR) : null;
    const followed = targets.followedHref === undefined ? undefined : findFollowedLink(targets.followedHref);
    if (isInPage) stop.abort();
    else if (followed) {
      // Don't scroll, because scroll restoration has already scrolled to the link.
      followed.focus({ preventScroll: true, focusVisible: targets.focusVisible });
      focused = followed;
    } else if (field) {
      // Scroll to a form below the fold, but never move a page that the user has already scrolled.
      field.focus({ preventScroll: window.scrollY > 0 });
      focused = field;
    } else if (heading && targets.heading) {
      heading.tabIndex = -1;
      heading.classList.add('outline-none');
      // Keep observing, because this heading may be replaced when the page has loaded.
      heading.focus({ preventScroll: true });
    }
  };

  // Wait a frame, because a closing dialog first returns the focus to the element that opened the dialog.
  let frame = requestAnimationFrame(attempt);
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(attempt);
  });
  const timer = setTimeout(() => stop.abort(), FOCUS_TIMEOUT_MS);
  for (const event of ['keydown', 'pointerdown']) window.addEventListener(event, () => stop.abort(), { signal: stop.signal });
  stop.signal.addEventListener('abort', () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => stop.abort();
}
