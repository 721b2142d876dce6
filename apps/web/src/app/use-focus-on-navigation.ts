import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { HAS_KEYBOARD } from '../ui/use-browser-state.ts';

/** A page may show its heading or its form only once its data is there. */
const FOCUS_TIMEOUT_MS = 10_000;
const HEADING = 'main h1';
const FIELD = 'main :is(input, textarea):not([type=hidden], [type=search], [type=radio], [type=checkbox], [type=file], [disabled])';
const DIALOG = '[role=dialog], [role=alertdialog]';

interface Opened {
  pathname: string | undefined;
  screen: string;
  focusesField: boolean;
  search: string | undefined;
}

/**
 * Moves the focus to the page's heading, or to its first field; after Back to the link that had been followed, so that a long list goes on
 * from there. The first page keeps the browser's own focus, unless it starts with a field.
 */
export function useFocusOnNavigation({ pathname, screen, focusesField, search }: Opened): void {
  /** Its href as it was opened: filters chosen there later are no part of the link that led there. */
  const shown = useRef<Pick<Opened, 'pathname' | 'screen'> & { href: string }>(undefined);
  const isBack = useRef(false);
  const { history } = useRouter();
  useEffect(
    () =>
      history.subscribe(({ action: { type } }) => {
        isBack.current = type === 'BACK';
      }),
    [history],
  );
  /** Whether the last thing that was pressed is a key: until one is, browsers draw a ring around whatever a script focuses. */
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
    const before = shown.current;
    const isSamePage = before !== undefined && before.pathname === pathname;
    shown.current = { pathname, screen, href: isSamePage ? before.href : history.location.href };
    return focusPage({
      heading: before !== undefined && before.screen !== screen,
      field: focusesField && window.matchMedia(HAS_KEYBOARD).matches,
      linkTo: isBack.current && !isSamePage ? before?.href : undefined,
      focusVisible: usesKeyboard.current,
    });
  }, [history, pathname, screen, focusesField, search]);
}

/** The only link that can be seen, otherwise the only one to the same page: of several nobody knows which one was followed. */
function findLink(href: string): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLElement>('main a')].filter((link) => link.checkVisibility());
  for (const target of [href, href.split('?')[0]]) {
    const [link, another] = links.filter((candidate) => candidate.getAttribute('href') === target);
    if (link && !another) return link;
  }
  return undefined;
}

interface Wanted {
  heading: boolean;
  field: boolean;
  /** Where the link led that was followed from this page. */
  linkTo: string | undefined;
  focusVisible: boolean;
}

/** Focuses what is wanted as soon as it is there, unless the user or the page itself moves the focus first. Returns how to stop. */
function focusPage(wanted: Wanted): () => void {
  if (!wanted.heading && !wanted.field) return () => undefined;
  const stop = new AbortController();
  /** The link that led here, while the page before still shows. */
  const link = document.activeElement;
  /** What got the focus: it may still be a part of the page before, and leave with that. */
  let focused: Element | null = null;

  const attempt = () => {
    if (stop.signal.aborted || document.querySelector(DIALOG)) return;
    const heading = document.querySelector<HTMLElement>(HEADING);
    const active = document.activeElement;
    const isInPage = active !== heading && Boolean(active?.closest('main > *'));
    if (isInPage && (active === link || active === focused)) return;
    const field = wanted.field ? document.querySelector<HTMLElement>(FIELD) : null;
    const followed = wanted.linkTo === undefined ? undefined : findLink(wanted.linkTo);
    if (isInPage) stop.abort();
    else if (followed) {
      // The page is scrolled to where it was.
      followed.focus({ preventScroll: true, focusVisible: wanted.focusVisible });
      focused = followed;
    } else if (field) {
      // A form may open below the screen; where somebody has scrolled to is left as it is.
      field.focus({ preventScroll: window.scrollY > 0 });
      focused = field;
    } else if (heading && wanted.heading) {
      heading.tabIndex = -1;
      heading.classList.add('outline-none');
      // Not the end of it: once the data is there, the page may bring another heading.
      heading.focus({ preventScroll: true });
    }
  };

  // In the next frame: a dialog that closes gives the focus back first.
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
