import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from './dialog.tsx';
import { firstDirtyForm, watchForm } from './unsaved-forms.ts';

/** The question must be there when the connection is gone: without it nobody could leave what cannot be saved either. */
function usePreloadedDialog(): void {
  useEffect(() => {
    const load = () => void import('./dialog-frame.tsx').catch(() => undefined);
    window.addEventListener('input', load, { once: true });
    return () => window.removeEventListener('input', load);
  }, []);
}

/** Back closes a form that was opened by a parameter of the URL; a change of other parameters, such as the tab, keeps it open. */
const DEFAULT_PARAMS = ['edit'];
const isOpenIn = (search: object, params: readonly string[]) =>
  Object.entries(search).some(([name, value]) => params.includes(name) && value !== undefined);

interface UnsavedChangesProps {
  /** Asked at the moment of leaving, so that a save just made counts. */
  isDirty: () => boolean;
  saving?: boolean;
  /** The person is on the way out, or has decided to stay: the end of a save must not lead them elsewhere. */
  onLeaving?: (leaving: boolean) => void;
  /** The parameters of the URL that open the form. */
  openedBy?: readonly string[] | undefined;
  /** What was typed is there again when the page is opened next: closing the tab needs no question. */
  outlivesTab?: boolean;
  /** Files on their way, which end with the page. */
  uploads?: number;
}

function questionOf(saving: boolean, uploads: number) {
  if (uploads > 0) {
    const files = uploads === 1 ? 'a file is' : 'files are';
    return { title: `Leave while ${files} uploading?`, description: `${files[0]?.toUpperCase()}${files.slice(1)} still uploading.` };
  }
  if (saving) return { title: 'Leave while saving?', description: 'Your changes are still being saved.' };
  return { title: 'Leave without saving?', description: "Your changes haven't been saved." };
}

/** Asks before what was typed is left behind. If it is saved before they answer, there is nothing left to ask. */
export function UnsavedChanges({
  isDirty,
  saving = false,
  onLeaving,
  openedBy = DEFAULT_PARAMS,
  outlivesTab = false,
  uploads = 0,
}: UnsavedChangesProps) {
  usePreloadedDialog();
  const [signingOut, setSigningOut] = useState<(isSure: boolean) => void>();
  useEffect(() => {
    const askToSignOut = () => new Promise<boolean>((resolve) => setSigningOut(() => resolve));
    return watchForm({ isDirty, askToSignOut });
  }, [isDirty]);
  useEffect(() => () => signingOut?.(false), [signingOut]);
  const isAsking = useRef(false);
  const isBackAgain = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: ({ action, current, next }) => {
      const leaves =
        firstDirtyForm()?.isDirty === isDirty &&
        (current.pathname !== next.pathname || (isOpenIn(current.search, openedBy) && !isOpenIn(next.search, openedBy)));
      isBackAgain.current = leaves && isAsking.current && action !== 'PUSH' && action !== 'REPLACE';
      return leaves;
    },
    enableBeforeUnload: () => !outlivesTab && isDirty(),
    withResolver: true,
  });
  const { status, proceed, reset } = blocker;
  useEffect(() => {
    isAsking.current = status === 'blocked';
    if (status !== 'blocked') return;
    // Back closes the question like any other dialog. The router then undoes both steps.
    if (isBackAgain.current) {
      isBackAgain.current = false;
      onLeaving?.(false);
      reset();
      return;
    }
    onLeaving?.(true);
    if (!saving && !isDirty()) proceed();
  }, [status, proceed, reset, saving, isDirty, onLeaving]);
  if (signingOut) {
    const answer = (isSure: boolean) => {
      signingOut(isSure);
      setSigningOut(undefined);
    };
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => !open && answer(false)}
        title="Sign out without saving?"
        description="Your changes haven't been saved. Signing out discards them."
        confirmLabel="Sign out"
        cancelLabel="Keep editing"
        onConfirm={() => answer(true)}
      />
    );
  }
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      onOpenChange={(open) => {
        if (open) return;
        onLeaving?.(false);
        reset?.();
      }}
      {...questionOf(saving, uploads)}
      confirmLabel="Leave"
      cancelLabel="Keep editing"
      onConfirm={() => proceed?.()}
    />
  );
}
