import { Toast } from '@base-ui/react/toast';

type ToastKind = 'success' | 'error' | 'blank' | 'loading';

/** Time each kind stays on screen. 0 means until the toast is replaced or dismissed. */
const TOAST_TIMEOUT_MS: Record<ToastKind, number> = { success: 2_000, error: 4_000, blank: 4_000, loading: 0 };
/** Long enough to read the toast, find its button and press it. */
const ACTION_TOAST_TIMEOUT_MS = 8_000;

interface ToastOptions {
  /** A toast replaces an earlier one with the same id. By default, identical toasts share an id. */
  id?: string;
  /** Names the action (mutations use their success text). A success or a newer error dismisses the same action's earlier errors. */
  subject?: string | undefined;
  /** Overrides the default time for the kind. */
  timeoutMs?: number;
  /** Button in the toast, e.g. Undo. */
  action?: { readonly label: string; readonly run: () => void };
}

export interface ToastData {
  readonly timeoutMs: number;
}

export const toastManager = Toast.createToastManager<ToastData>();

const errorSubjects = new Map<string, string>();

const showAs =
  (kind: ToastKind) =>
  (text: string, { id = `${kind}: ${text}`, subject, timeoutMs, action }: ToastOptions = {}): string => {
    if ((kind === 'success' || kind === 'error') && subject !== undefined) dismissOtherErrors(subject, id);
    if (kind === 'error' && subject !== undefined) errorSubjects.set(id, subject);
    const press = () => {
      action?.run();
      dismiss(id);
    };
    const timeout = timeoutMs ?? (action ? ACTION_TOAST_TIMEOUT_MS : TOAST_TIMEOUT_MS[kind]);
    return toastManager.add({
      id,
      type: kind,
      description: text,
      timeout,
      data: { timeoutMs: timeout },
      actionProps: action && { children: action.label, onClick: press },
      onRemove: () => errorSubjects.delete(id),
    });
  };

function dismissOtherErrors(subject: string, keptId: string): void {
  for (const [id, errorSubject] of errorSubjects) if (errorSubject === subject && id !== keptId) dismiss(id);
}

const dismiss = (id: string) => toastManager.close(id);

export const toast = { success: showAs('success'), error: showAs('error'), blank: showAs('blank'), loading: showAs('loading'), dismiss };
