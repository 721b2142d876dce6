import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** While something lies over the page, Back closes it and leaves the page where it is. Back out of the first page of a tab leaves as always. */
export function useBackCloses(open: boolean, close: () => void): void {
  const { history } = useRouter();
  const closeIt = useEffectEvent(close);
  useEffect(() => {
    if (!open) return undefined;
    return history.block({
      blockerFn: ({ action }) => {
        if (action === 'BACK') closeIt();
        return action === 'BACK';
      },
      enableBeforeUnload: false,
    });
  }, [open, history]);
}
