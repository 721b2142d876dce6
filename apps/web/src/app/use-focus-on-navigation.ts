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
  const opened = useRef<string>(undefined);
  const path = useRef<string>(undefined);
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
    const isFirst = opened.current === undefined || opened.current === screen;
    const left = isBack.current && path.current !== pathname ? path.current : undefined;
    opened.current = screen;
    path.current = pathname;
    return focusPage({
      heading: !isFirst,
      field: focusesField && window.matchMedia(HAS_KEYBOARD).matches,
      linkTo: left,
      focusVisible: usesKeyboard.current,
    });
  }, [pathname, screen, focusesField, search]);
}

/** The only link that can be seen: of several nobody knows which one was followed. The path of an index route ends with a slash; links to it don't. */
function findLink(path: string): HTMLElement | undefined {
  const href = path.replace(/\/$/, '');
  const links = [...document.querySelectorAll<HTMLElement>('main a')].filter((link) => link.getAttribute('href') === href);
  const [link, another] = links.filter((candidate) => candidate.checkVisibility());
  return another ? undefined : link;
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
  // What is wanted may stand in a part that is still hidden.
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['hidden'] });
  return () => stop.abort();
}
