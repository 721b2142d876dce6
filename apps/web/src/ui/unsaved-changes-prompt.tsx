import { useBlocker } from '@tanstack/react-router';
import { use, useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from './dialog.tsx';
import { type DiscardingAction, findDirtyForm, findDirtyFormInTopOverlay, registerForm } from './unsaved-forms.ts';
import { OverlayDepthContext } from './use-close-on-back.ts';

/** Loads the dialog on first input. Offline, it couldn't load later, and the user could neither save the form nor leave it. */
function usePreloadDialog(): void {
  useEffect(() => {
    const load = () => void import('./dialog-frame.tsx').catch(() => undefined);
    window.addEventListener('input', load, { once: true });
    return () => window.removeEventListener('input', load);
  }, []);
}

/** URL parameters that open a form. Back closes the form; changing other parameters, such as the tab, keeps it open. */
const DEFAULT_FORM_PARAMS = ['edit'];
const isOpenedBySearch = (search: object, params: readonly string[]) =>
  Object.entries(search).some(([name, value]) => params.includes(name) && value !== undefined);

interface UnsavedChangesPromptProps {
  /** A function, so that a save that finishes just before the user leaves still counts. */
  isDirty: () => boolean;
  saving?: boolean;
  /** Called with true when the user starts to leave, and with false if they stay. While leaving, a finished save must not navigate. */
  onLeavingChange?: (leaving: boolean) => void;
  openedBy?: readonly string[] | undefined;
  /** True if the draft is restored on the next visit, so that closing the tab needs no confirmation. */
  isDraftStored?: boolean;
  /** Number of uploads in progress, which leaving cancels. */
  pendingUploads?: number;
  /** True for a form in a sheet without a URL. Back closes such a sheet, which asks with `confirmClose`. */
  isInSheet?: boolean;
}

function getLeaveQuestion(saving: boolean, pendingUploads: number) {
  if (pendingUploads > 0) {
    const files = pendingUploads === 1 ? 'a file is' : 'files are';
    return { title: `Leave while ${files} uploading?`, description: `${files[0]?.toUpperCase()}${files.slice(1)} still uploading.` };
  }
  if (saving) return { title: 'Leave before saving finishes?', description: 'Your changes are still being saved.' };
  return { title: 'Leave without saving?', description: "Your changes haven't been saved." };
}

/** Asks before unsaved changes are lost. If a save finishes before the user answers, navigation continues without an answer. */
export function UnsavedChangesPrompt({
  isDirty,
  saving = false,
  onLeavingChange,
  openedBy = DEFAULT_FORM_PARAMS,
  isDraftStored = false,
  pendingUploads = 0,
  isInSheet = false,
}: UnsavedChangesPromptProps) {
  usePreloadDialog();
  const depth = use(OverlayDepthContext);
  const [asked, setAsked] = useState<{ action: DiscardingAction; resolve: (isSure: boolean) => void }>();
  useEffect(() => {
    const askToDiscard = (action: DiscardingAction) => new Promise<boolean>((resolve) => setAsked({ action, resolve }));
    return registerForm({ depth, isDirty, askToDiscard });
  }, [depth, isDirty]);
  useEffect(() => () => asked?.resolve(false), [asked]);
  const isAsking = useRef(false);
  const isSecondBack = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: ({ action, current, next }) => {
      if (isInSheet && action === 'BACK') return false;
      // While this prompt's own dialog is open, it is the topmost overlay.
      const askingForm = action === 'BACK' && !isAsking.current ? findDirtyFormInTopOverlay() : findDirtyForm();
      const isLeaving =
        askingForm?.isDirty === isDirty &&
        (current.pathname !== next.pathname || (isOpenedBySearch(current.search, openedBy) && !isOpenedBySearch(next.search, openedBy)));
      isSecondBack.current = isLeaving && isAsking.current && action !== 'PUSH' && action !== 'REPLACE';
      return isLeaving;
    },
    enableBeforeUnload: () => !isDraftStored && isDirty(),
    withResolver: true,
  });
  const { status, proceed, reset } = blocker;
  useEffect(() => {
    isAsking.current = status === 'blocked';
    if (status !== 'blocked') return;
    // Pressing Back again closes this dialog like any other, so stay on the page. The router undoes both steps back.
    if (isSecondBack.current) {
      isSecondBack.current = false;
      onLeavingChange?.(false);
      reset();
      return;
    }
    onLeavingChange?.(true);
    if (!saving && !isDirty()) proceed();
  }, [status, proceed, reset, saving, isDirty, onLeavingChange]);
  if (asked) {
    const answer = (isSure: boolean) => {
      asked.resolve(isSure);
      setAsked(undefined);
    };
    const question =
      asked.action === 'close'
        ? { ...getLeaveQuestion(saving, pendingUploads), confirmLabel: 'Leave' }
        : {
            title: 'Sign out without saving?',
            description: "Your changes haven't been saved. Signing out discards them.",
            confirmLabel: 'Sign out',
          };
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => !open && answer(false)}
        {...question}
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
        onLeavingChange?.(false);
        reset?.();
      }}
      {...getLeaveQuestion(saving, pendingUploads)}
      confirmLabel="Leave"
      cancelLabel="Keep editing"
      onConfirm={() => proceed?.()}
    />
  );
}
