import { useMatches } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { pageTitle } from '../../lib/use-document-title.ts';

/**
 * The route's title in the tab, and aloud for people who listen. The first page is read out by the browser itself.
 * A layout effect, so that a page's own title comes after it.
 */
export function PageTitles() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  const [first] = useState(pathname);
  const [moved, setMoved] = useState(false);
  if (!moved && pathname !== first) setMoved(true);
  useLayoutEffect(() => {
    document.title = pageTitle(title);
  }, [title, pathname]);
  return (
    <p aria-live="polite" className="sr-only">
      {moved && title}
    </p>
  );
}
