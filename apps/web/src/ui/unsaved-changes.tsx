import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** The question must be there when the line is gone: without it nobody could leave what cannot be saved either. */
function useQuestionAtHand(): void {
  useEffect(() => {
    const load = () => void import('./dialog-frame.tsx').catch(() => undefined);
    window.addEventListener('input', load, { once: true });
    return () => window.removeEventListener('input', load);
  }, []);
}

/** Asks before what was typed is left behind. `isDirty` is asked at the moment of leaving, so a save just made counts. */
export function UnsavedChanges({ isDirty }: { isDirty: () => boolean }) {
  useQuestionAtHand();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty() && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => {
        if (!open) blocker.reset?.();
      }}
      title="Leave without saving?"
      description="What you typed on this page has not been saved."
      confirmLabel="Leave"
      cancelLabel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
