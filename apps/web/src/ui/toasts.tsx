import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Button, Spinner } from './button.tsx';
import { toastManager } from './toast.ts';

const MAX_TOASTS = 3;

/**
 * Toasts appear below the header or, on phones, inside it (below it if a timer is running). They cover the header while a dialog makes it
 * inert, and on phones while the corner panel fills the screen. On desktop, toasts stay beside the corner panel.
 */
const VIEWPORT_CLASSES =
  'pointer-events-none fixed top-[calc(var(--header-height)+env(safe-area-inset-top)+0.75rem)] right-4 left-4 z-70 flex flex-col items-end gap-2 ' +
  'outline-none max-sm:top-[calc(env(safe-area-inset-top)+0.375rem)] max-sm:right-26 max-sm:left-14 sm:left-auto lg:right-6 print:hidden [html:has([data-modal])_&]:top-[calc(env(safe-area-inset-top)+0.5rem)] ' +
  'max-sm:[html:has([data-header-timer]):not(:has([data-modal],[data-corner-panel]))_&]:inset-x-4 ' +
  'max-sm:[html:has([data-header-timer]):not(:has([data-modal],[data-corner-panel]))_&]:top-[calc(var(--header-height)+env(safe-area-inset-top)+0.5rem)] ' +
  'max-lg:[html:has([data-corner-panel])_&]:top-[calc(env(safe-area-inset-top)+0.5rem)] lg:[html:has([data-corner-panel])_&]:right-124';

const TOAST_CLASSES =
  'pointer-events-auto flex w-full translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y) items-start gap-2.5 rounded-card ' +
  'bg-raised px-4 py-3 text-base font-medium text-ink shadow-float transition duration-160 ease-out select-none data-swiping:transition-none sm:w-auto ' +
  'sm:max-w-sm data-ending-style:opacity-0 data-limited:hidden data-starting-style:-translate-y-2 data-starting-style:opacity-0';

/** Renders all toasts. Their timers pause while the pointer or the focus is on a toast. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toastManager} limit={MAX_TOASTS}>
      <Toast.Viewport aria-label="Messages" className={VIEWPORT_CLASSES}>
        <ToastList />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      role={toast.type === 'error' ? 'alert' : 'group'}
      aria-modal={undefined}
      swipeDirection={['right', 'up']}
      className={TOAST_CLASSES}
    >
      <ToastIcon kind={toast.type} />
      <Toast.Description className="min-w-0 [overflow-wrap:anywhere]" />
      <Toast.Action render={<Button tone="accent" className="-my-3 -mr-3 lg:-my-2" />} />
    </Toast.Root>
  ));
}

function ToastIcon({ kind }: { kind: string | undefined }) {
  if (kind === 'loading') return <Spinner className="mt-0.5 text-accent" />;
  if (kind === 'error') return <CircleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0 text-danger" />;
  if (kind === 'success') return <CircleCheck aria-hidden="true" className="mt-px size-4.5 shrink-0 text-accent" />;
  return null;
}
