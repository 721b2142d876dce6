import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ConfirmDialog } from './dialog.tsx';

/** The question must be there when the connection is gone: without it nobody could leave what cannot be saved either. */
function usePreloadedDialog(): void {
  useEffect(() => {
    const load = () => void import('./dialog-frame.tsx').catch(() => undefined);
    window.addEventListener('input', load, { once: true });
    return () => window.removeEventListener('input', load);
  }, []);
}

/** A form in a page is opened by a parameter, which Back takes away; other parameters, such as the tab, leave it where it is. */
const DEFAULT_PARAMS = ['edit'];
const isOpenIn = (search: object, params: readonly string[]) =>
  Object.entries(search).some(([name, value]) => params.includes(name) && value !== undefined);

interface UnsavedChangesProps {
  isDirty: () => boolean;
  /** The parameters of the URL that open the form. */
  openedBy?: readonly string[] | undefined;
}

/** Asks before what was typed is left behind. `isDirty` is asked at the moment of leaving, so a save just made counts. */
export function UnsavedChanges({ isDirty, openedBy = DEFAULT_PARAMS }: UnsavedChangesProps) {
  usePreloadedDialog();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty() && (current.pathname !== next.pathname || (isOpenIn(current.search, openedBy) && !isOpenIn(next.search, openedBy))),
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
      description="Your changes haven't been saved."
      confirmLabel="Leave"
      cancelLabel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
