import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** Makes Back close an open overlay instead of leaving the page. On the first page in a tab's history, Back still leaves. */
export function useCloseOnBack(open: boolean, close: () => void): void {
  const { history } = useRouter();
  const closeOverlay = useEffectEvent(close);
  useEffect(() => {
    if (!open) return undefined;
    return history.block({
      blockerFn: ({ action }) => {
        if (action === 'BACK') closeOverlay();
        return action === 'BACK';
      },
      enableBeforeUnload: false,
    });
  }, [open, history]);
}
