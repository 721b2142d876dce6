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

/** Back closes a form that was opened by `?edit=true`; a change of other parameters, such as the tab, keeps it open. */
const isEditing = (search: object) => 'edit' in search && search.edit !== undefined;

/** All forms on the page. Only the first dirty one asks, for all of them. */
const forms = new Set<() => boolean>();
const firstDirty = () => [...forms].find((isDirty) => isDirty());

/** Asks before what was typed is left behind. `isDirty` is asked at the moment of leaving, so a save just made counts. */
export function UnsavedChanges({ isDirty }: { isDirty: () => boolean }) {
  usePreloadedDialog();
  useEffect(() => {
    forms.add(isDirty);
    return () => void forms.delete(isDirty);
  }, [isDirty]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      firstDirty() === isDirty && (current.pathname !== next.pathname || (isEditing(current.search) && !isEditing(next.search))),
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
