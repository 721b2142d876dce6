import { CircleAlert, CircleCheck } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';
import { toastAction, toast as toastApi } from './toast.ts';

const GAP = 12;

/** Below what must stay visible: the bar at the top, and the title with its buttons while they are on screen. */
function freeTop(): number {
  const bottoms = [...document.querySelectorAll('[data-toast-below]')].map((element) => element.getBoundingClientRect().bottom);
  return Math.max(0, ...bottoms.filter((bottom) => bottom < window.innerHeight / 2)) + GAP;
}

function ToastIcon({ type }: { type: Toast['type'] }) {
  if (type === 'loading') return <Spinner className="mt-0.5 text-accent" />;
  if (type === 'error') return <CircleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0 text-danger" />;
  if (type === 'success') return <CircleCheck aria-hidden="true" className="mt-px size-4.5 shrink-0 text-accent" />;
  return null;
}

function ToastCard({ toast }: { toast: Toast }) {
  const action = toastAction(toast.id);
  return (
    <li
      role={toast.type === 'error' ? 'alert' : undefined}
      className={classes(
        'flex w-full animate-rise items-start gap-2.5 rounded-card bg-raised px-4 py-3 text-base font-medium text-ink shadow-float transition-opacity duration-160 sm:w-auto sm:max-w-sm',
        !toast.visible && 'opacity-0',
      )}
    >
      <ToastIcon type={toast.type} />
      <span className="min-w-0 [overflow-wrap:anywhere]">{resolveValue(toast.message, toast)}</span>
      {action && (
        <Button
          tone="quiet"
          className="pointer-events-auto -my-3 -mr-3 text-accent-ink"
          onClick={() => {
            action.run();
            toastApi.dismiss(toast.id);
          }}
        >
          {action.label}
        </Button>
      )}
    </li>
  );
}

/** Presses go through a toast to what lies under it: only a button inside it takes them. */
export function Toasts() {
  const { toasts } = useToaster({ removeDelay: 160 });
  const [top, setTop] = useState(GAP);
  useLayoutEffect(() => {
    if (toasts.length > 0) setTop(freeTop());
  }, [toasts.length]);
  return (
    <ol
      aria-live="polite"
      aria-label="Messages"
      className="pointer-events-none fixed right-4 left-4 z-70 flex flex-col items-end gap-2 sm:left-auto lg:right-6 print:hidden"
      style={{ top }}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </ol>
  );
}
