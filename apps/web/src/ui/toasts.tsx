import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, Spinner } from './button.tsx';
import { type ToastData, toastManager } from './toast.ts';
import { DESKTOP_UP, useMediaQuery, WIDE_DESKTOP_UP } from './use-browser-state.ts';

/**
 * Toasts lie in the top bar, beside the bell and over the search box, so that they never cover a button of the page or of a dialog. Without a
 * top bar (sign-in), they use the whole width. Beside an open menu they have little width, but all the height.
 */
const VIEWPORT_CLASSES =
  'pointer-events-none fixed top-[env(safe-area-inset-top)] right-15 left-15 z-70 flex h-(--top-bar-height) flex-row-reverse items-center-safe gap-2 outline-none print:hidden ' +
  'lg:left-[calc(40%+10.5rem)] [html:not(:has([data-top-bar]))_&]:right-4 [html:not(:has([data-top-bar]))_&]:left-4 ' +
  'max-lg:[html:has([data-top-bar]):has(#sidebar:not([inert]))_&]:right-2 max-lg:[html:has([data-top-bar]):has(#sidebar:not([inert]))_&]:left-67 ' +
  '[html:has([data-photo-viewer])_&]:right-44 [html:has([data-photo-viewer])_&]:left-2';

/** Three lines fit into the top bar. Longer texts are cut off until the pointer or the focus is on the toast. */
const TOAST_CLASSES =
  'group pointer-events-auto flex min-h-11 min-w-0 translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y) items-center gap-2 rounded-control ' +
  'bg-raised px-3 py-0.5 text-sm leading-4 font-medium text-ink shadow-float transition duration-160 ease-out select-none data-swiping:transition-none ' +
  'data-ending-style:opacity-0 data-limited:hidden max-lg:data-ending-style:hidden data-starting-style:-translate-y-2 data-starting-style:opacity-0';

/** Returns how many toasts fit into the top bar side by side. */
function useToastLimit(): number {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const isWideDesktop = useMediaQuery(WIDE_DESKTOP_UP);
  return isWideDesktop ? 3 : isDesktop ? 2 : 1;
}

/** Renders all toasts. Their timers pause while the pointer or the focus is on a toast. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toastManager} limit={useToastLimit()}>
      <Toast.Viewport aria-label="Messages" className={VIEWPORT_CLASSES}>
        <ToastList />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

/** Long enough to notice a success. */
const NOTICED_AFTER_MS = 1_000;

/**
 * A toast that newer ones push aside waits until there is room again, and then stays for its full time. A success that was on screen long
 * enough to be noticed closes instead, because on a phone it would return when the user has long moved on.
 */
function ToastList() {
  const { toasts } = Toast.useToastManager<ToastData>();
  const shownAt = useRef<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    const now = performance.now();
    const earlier = shownAt.current;
    shownAt.current = new Map(toasts.filter(({ limited }) => !limited).map(({ id }) => [id, earlier.get(id) ?? now]));
    for (const { id, type, limited, timeout, data, actionProps } of toasts) {
      const isNoticed = now - (earlier.get(id) ?? now) >= NOTICED_AFTER_MS;
      if (limited && isNoticed && type === 'success' && !actionProps) {
        toastManager.close(id);
        continue;
      }
      const wantedTimeout = limited ? 0 : data?.timeoutMs;
      if (timeout !== wantedTimeout) toastManager.update(id, { timeout: wantedTimeout });
    }
  }, [toasts]);
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
      <Toast.Description className="line-clamp-3 min-w-0 [overflow-wrap:anywhere] group-hover:line-clamp-none group-has-focus-visible:line-clamp-none group-focus-visible:line-clamp-none" />
      <Toast.Action render={<Button tone="accent" className="-my-1 -mr-2 px-3!" />} />
    </Toast.Root>
  ));
}

function ToastIcon({ kind }: { kind: string | undefined }) {
  if (kind === 'loading') return <Spinner className="text-accent" />;
  if (kind === 'error') return <CircleAlert aria-hidden="true" className="size-4.5 shrink-0 text-danger" />;
  if (kind === 'success') return <CircleCheck aria-hidden="true" className="size-4.5 shrink-0 text-accent" />;
  return null;
}
