import { useMatches } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { formatPageTitle } from '../lib/use-document-title.ts';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

/** Announces each opened page by updating the tab's title and moving the focus for screen readers. */
export function PageAnnouncer() {
  const page = useMatches({ select: (matches) => matches.at(-1) });
  const { title, focusesFirstField: startsWithForm = false } = page?.staticData ?? {};
  const pathname = page?.pathname;
  const search = useMatches({ select: (matches) => JSON.stringify(matches.at(-1)?.search) });
  const [initialPathname] = useState(pathname);
  const [hasNavigated, setHasNavigated] = useState(false);
  if (!hasNavigated && pathname !== initialPathname) setHasNavigated(true);
  // A layout effect, so that a page's own effect can set a more specific title afterwards.
  useLayoutEffect(() => {
    document.title = formatPageTitle(title);
  }, [title, pathname]);
  // Opening or closing a form in place removes the focused element, so each counts as a new screen that takes the focus.
  const isEditing = useMatches({ select: (matches) => Boolean((matches.at(-1)?.search as { edit?: unknown } | undefined)?.edit) });
  useFocusOnNavigation({
    pathname,
    screenKey: `${pathname} ${isEditing}`,
    focusesFirstField: startsWithForm || isEditing,
    search: startsWithForm ? search : '',
  });
  return (
    <p aria-live="polite" className="sr-only">
      {hasNavigated && startsWithForm && title}
    </p>
  );
}
