import { useMatches } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { pageTitle } from '../lib/use-document-title.ts';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

/** Says which page has opened: in the browser tab, and to screen readers by moving the focus to it. */
export function PageAnnouncer() {
  const page = useMatches({ select: (matches) => matches.at(-1) });
  const { title, focusesField: startsWithForm = false } = page?.staticData ?? {};
  const pathname = page?.pathname;
  const search = useMatches({ select: (matches) => JSON.stringify(matches.at(-1)?.search) });
  const [first] = useState(pathname);
  const [moved, setMoved] = useState(false);
  if (!moved && pathname !== first) setMoved(true);
  // A layout effect, so that a page's own title comes after it.
  useLayoutEffect(() => {
    document.title = pageTitle(title);
  }, [title, pathname]);
  // A form that opens in place is like a page that starts with one; closing it leaves the focus nowhere.
  const isEditing = useMatches({ select: (matches) => Boolean((matches.at(-1)?.search as { edit?: unknown } | undefined)?.edit) });
  useFocusOnNavigation({
    pathname,
    screen: `${pathname} ${isEditing}`,
    focusesField: startsWithForm || isEditing,
    search: startsWithForm ? search : '',
  });
  return (
    <p aria-live="polite" className="sr-only">
      {moved && startsWithForm && title}
    </p>
  );
}
