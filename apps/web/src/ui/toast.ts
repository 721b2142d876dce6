import { toast as show } from 'react-hot-toast/headless';

/** A button inside a toast, e.g. Undo. */
export interface ToastAction {
  label: string;
  run: () => void;
}

const actions = new Map<string, ToastAction>();

/** The action of a toast, kept beside the store because that holds only text. */
export function toastAction(id: string): ToastAction | undefined {
  return actions.get(id);
}

interface ToastOptions {
  /** A second toast with the same id replaces the first instead of standing beside it. */
  id?: string;
  action?: ToastAction;
}

const shown =
  (kind: (text: string, options?: { id?: string }) => string) =>
  (text: string, { id, action }: ToastOptions = {}): string => {
    const made = kind(text, id === undefined ? {} : { id });
    if (action) actions.set(made, action);
    return made;
  };

/** 2 seconds for success, 4 for error and blank, no limit for loading; at most 20 at a time. */
export const toast = {
  success: shown((text, options) => show.success(text, options)),
  error: shown((text, options) => show.error(text, options)),
  blank: shown((text, options) => show(text, options)),
  loading: shown((text, options) => show.loading(text, options)),
  dismiss: (id?: string) => show.dismiss(id),
  clear: () => show.removeAll(),
};
