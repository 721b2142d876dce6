import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * While something lies over the page, Back closes it and leaves the page where it is. The router undoes the step, so that closing by
 * any other way leaves no entry behind. Only Back out of the first page of a tab cannot be held.
 */
export function useBackCloses(open: boolean, close: () => void): void {
  const { history } = useRouter();
  const closeIt = useEffectEvent(close);
  useEffect(() => {
    if (!open) return undefined;
    const stay = ({ action }: { action: string }) => {
      if (action === 'BACK') closeIt();
      return action === 'BACK';
    };
    return history.block({ blockerFn: stay, enableBeforeUnload: false });
  }, [open, history]);
}
