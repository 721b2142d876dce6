import { create } from 'zustand';

export type ToastKind = 'success' | 'error' | 'blank' | 'loading';

/** How long each kind stays; what is under way stays until it is replaced or dismissed. */
export const TOAST_MS: Record<ToastKind, number> = { success: 2_000, error: 4_000, blank: 4_000, loading: Number.POSITIVE_INFINITY };
export const MOST_TOASTS = 20;

export interface Toast {
  readonly id: string;
  readonly kind: ToastKind;
  readonly text: string;
  /** A button inside, e.g. Undo. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** The newest first. */
export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));

const timers = new Map<string, ReturnType<typeof setTimeout>>();
let made = 0;

function dismiss(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

interface ToastOptions {
  /** A second toast with the same id replaces the first instead of standing beside it. */
  id?: string;
  action?: Toast['action'];
}

const show =
  (kind: ToastKind) =>
  (text: string, { id = `toast-${++made}`, action }: ToastOptions = {}): string => {
    dismiss(id);
    const toast: Toast = { id, kind, text, ...(action ? { action } : {}) };
    useToasts.setState(({ toasts }) => ({ toasts: [toast, ...toasts].slice(0, MOST_TOASTS) }));
    if (Number.isFinite(TOAST_MS[kind])) {
      timers.set(
        id,
        setTimeout(() => dismiss(id), TOAST_MS[kind]),
      );
    }
    return id;
  };

export const toast = { success: show('success'), error: show('error'), blank: show('blank'), loading: show('loading'), dismiss };
