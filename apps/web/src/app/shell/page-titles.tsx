import { useMatches } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { pageTitle } from '../../lib/use-document-title.ts';

/** The route's title in the tab, and aloud for people who listen. A layout effect, so that a page's own title comes after it. */
export function PageTitles() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  useLayoutEffect(() => {
    document.title = pageTitle(title);
  }, [title, pathname]);
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
