import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';
import { type Toast, type ToastKind, toast as toastApi, useToasts } from './toast.ts';

const GAP = 12;

/** Below what must stay visible: the bar at the top, and the title with its buttons while they are on screen. */
function freeTop(): number {
  const bottoms = [...document.querySelectorAll('[data-toast-below]')].map((element) => element.getBoundingClientRect().bottom);
  return Math.max(0, ...bottoms.filter((bottom) => bottom < window.innerHeight / 2)) + GAP;
}

function ToastIcon({ kind }: { kind: ToastKind }) {
  if (kind === 'loading') return <Spinner className="mt-0.5 text-accent" />;
  if (kind === 'error') return <CircleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0 text-danger" />;
  if (kind === 'success') return <CircleCheck aria-hidden="true" className="mt-px size-4.5 shrink-0 text-accent" />;
  return null;
}

function ToastCard({ toast: { id, kind, text, action } }: { toast: Toast }) {
  return (
    <li
      role={kind === 'error' ? 'alert' : undefined}
      className="flex w-full animate-rise items-start gap-2.5 rounded-card bg-raised px-4 py-3 text-base font-medium text-ink shadow-float sm:w-auto sm:max-w-sm"
    >
      <ToastIcon kind={kind} />
      <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      {action && (
        <Button
          tone="quiet"
          className="pointer-events-auto -my-3 -mr-3 text-accent-ink"
          onClick={() => {
            action.run();
            toastApi.dismiss(id);
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
  const toasts = useToasts((store) => store.toasts);
  const list = useRef<HTMLOListElement>(null);
  const some = toasts.length > 0;
  // The page under a toast may change while it shows, so its place is looked at with every frame.
  useEffect(() => {
    if (!some) return undefined;
    let frame = 0;
    const place = () => {
      if (list.current) list.current.style.top = `${freeTop()}px`;
      frame = requestAnimationFrame(place);
    };
    place();
    return () => cancelAnimationFrame(frame);
  }, [some]);
  return (
    <ol
      ref={list}
      aria-live="polite"
      aria-label="Messages"
      className="pointer-events-none fixed top-3 right-4 left-4 z-70 flex flex-col items-end gap-2 sm:left-auto lg:right-6 print:hidden"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </ol>
  );
}
