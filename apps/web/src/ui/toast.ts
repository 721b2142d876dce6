import { Toast } from '@base-ui/react/toast';

type ToastKind = 'success' | 'error' | 'blank' | 'loading';

/** How long each kind stays; 0 stays until it is replaced or dismissed. */
const TOAST_MS: Record<ToastKind, number> = { success: 2_000, error: 4_000, blank: 4_000, loading: 0 };
/** Long enough to read the toast, find its button and press it. */
const ACTION_TOAST_MS = 8_000;

interface ToastOptions {
  /** A second toast with the same id replaces the first. By default identical toasts are one. */
  id?: string;
  /** The action it reports, for a command the text of its success: a success or another error removes the errors of the same action. */
  subject?: string | undefined;
  /** How long it stays, if not as long as others of its kind. */
  ms?: number;
  /** A button inside, e.g. Undo. */
  action?: { readonly label: string; readonly run: () => void };
}

export const toastManager = Toast.createToastManager();

const errorSubjects = new Map<string, string>();

const show =
  (kind: ToastKind) =>
  (text: string, { id = `${kind}: ${text}`, subject, ms, action }: ToastOptions = {}): string => {
    if ((kind === 'success' || kind === 'error') && subject !== undefined) dismissErrorsAbout(subject, id);
    if (kind === 'error' && subject !== undefined) errorSubjects.set(id, subject);
    const press = () => {
      action?.run();
      dismiss(id);
    };
    return toastManager.add({
      id,
      type: kind,
      description: text,
      timeout: ms ?? (action ? ACTION_TOAST_MS : TOAST_MS[kind]),
      actionProps: action && { children: action.label, onClick: press },
      onRemove: () => errorSubjects.delete(id),
    });
  };

function dismissErrorsAbout(subject: string, shown: string): void {
  for (const [id, about] of errorSubjects) if (about === subject && id !== shown) dismiss(id);
}

const dismiss = (id: string) => toastManager.close(id);

export const toast = { success: show('success'), error: show('error'), blank: show('blank'), loading: show('loading'), dismiss };
