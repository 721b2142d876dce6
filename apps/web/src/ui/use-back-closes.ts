import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * While something lies over the page, Back closes it and leaves the page where it is. The router undoes the step, so that closing by
 * any other way leaves no entry behind. Back out of the first page of a tab cannot be undone: with `onFirstPage` that page gets a second
 * entry to step back from, which is taken away again on closing.
 */
export function useBackCloses(open: boolean, close: () => void, { onFirstPage = false } = {}): void {
  const { history } = useRouter();
  const closeIt = useEffectEvent(close);
  useEffect(() => {
    if (!open) return undefined;
    const { href, state } = history.location;
    const hasOwnEntry = onFirstPage && !history.canGoBack();
    if (hasOwnEntry) history.push(href, state);
    const own = history.location.state.key;
    const unblock = history.block({
      blockerFn: ({ action }) => {
        if (action === 'BACK') closeIt();
        return action === 'BACK' && !hasOwnEntry;
      },
      enableBeforeUnload: false,
    });
    return () => {
      unblock();
      // A link that was pressed leads on from here first.
      if (hasOwnEntry) setTimeout(() => history.location.state.key === own && history.back());
    };
  }, [open, history, onFirstPage]);
}
