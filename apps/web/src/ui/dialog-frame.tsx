import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, use, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { OverlayDepthContext, useCloseOnBack } from './use-close-on-back.ts';
import { useReturnFocus } from './use-return-focus.ts';

export interface DialogFrameProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode | undefined;
  children?: ReactNode | undefined;
  /** Footer buttons, with the primary one last. */
  actions?: ReactNode | undefined;
  /** True if the dialog requires an answer: it has no close button, and a click outside does nothing. */
  isAlertDialog?: boolean | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  /** True if a URL opens the dialog, so Back closes it by returning to the previous URL. */
  isOpenedByUrl?: boolean | undefined;
  /** Id of the element to focus on close if the opener no longer exists. */
  fallbackFocusId?: string | undefined;
  /** Finds the element to focus on close. If it returns null, the opener gets the focus. */
  findReturnFocus?: (() => HTMLElement | null) | undefined;
}

const WIDTHS = { small: 'md:max-w-md', medium: 'md:max-w-xl', large: 'md:max-w-3xl' };

const POPUP_CLASSES =
  'fixed inset-x-0 bottom-0 z-60 flex max-h-[min(90dvh,calc(100dvh-var(--top-bar-height)-env(safe-area-inset-top)-0.5rem))] flex-col rounded-t-2xl bg-raised pb-[env(safe-area-inset-bottom)] shadow-float transition duration-160 ease-out ' +
  'data-ending-style:translate-y-6 data-ending-style:opacity-0 data-starting-style:translate-y-6 data-starting-style:opacity-0 ' +
  'md:inset-x-auto md:top-1/2 md:max-h-[calc(100dvh-2*var(--top-bar-height)-1rem)] md:bottom-auto md:left-1/2 md:w-[calc(100vw-3rem)] md:-translate-x-1/2 md:-translate-y-1/2 md:rounded-card md:pb-0 ' +
  'md:data-ending-style:translate-y-[calc(-50%+0.5rem)] md:data-starting-style:translate-y-[calc(-50%+0.5rem)]';

/** Submits the dialog's form on Ctrl/Cmd+S or Ctrl/Cmd+Enter. Ignores events from nested dialogs, which React bubbles up to this one. */
function submitOnShortcut(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: dialog, target } = event;
  const isSaveKey = event.key.toLowerCase() === 's' || event.key === 'Enter';
  if (!isSaveKey || !(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
  const form = target instanceof Node && dialog.contains(target) ? dialog.querySelector('form') : null;
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
}

/** Dialog on desktop, bottom sheet on phones. The code loads when the first dialog opens. */
export function DialogFrame({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  isAlertDialog = false,
  size = 'small',
  isOpenedByUrl = false,
  fallbackFocusId,
  findReturnFocus,
}: DialogFrameProps) {
  const returnFocus = useReturnFocus(open, fallbackFocusId, findReturnFocus);
  const depth = use(OverlayDepthContext) + 1;
  const content = useRef<HTMLDivElement>(null);
  useCloseOnBack(open, () => onOpenChange(false), isOpenedByUrl);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={isAlertDialog}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-60 bg-scrim transition-opacity duration-160 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          data-modal=""
          role={isAlertDialog ? 'alertdialog' : 'dialog'}
          initialFocus={(pointer) =>
            pointer === 'touch' || (content.current?.querySelector<HTMLElement>('input:not([readonly]), textarea:not([readonly])') ?? true)
          }
          finalFocus={returnFocus}
          onKeyDown={isAlertDialog ? undefined : submitOnShortcut}
          className={classNames(POPUP_CLASSES, WIDTHS[size])}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-5">
            <Dialog.Title className="pt-1 text-xl font-semibold lg:pt-0.5">{title}</Dialog.Title>
            {!isAlertDialog && (
              <Dialog.Close
                render={
                  <IconButton label="Close" className="-mt-1 -mr-2">
                    <X aria-hidden="true" />
                  </IconButton>
                }
              />
            )}
          </div>
          <div ref={content} className="min-h-0 overflow-y-auto overscroll-contain px-5 pt-2 pb-5 has-data-save-bar:scroll-pb-36">
            {description && (
              <Dialog.Description className="text-base text-ink-2 [overflow-wrap:anywhere]">{description}</Dialog.Description>
            )}
            {children && (
              <OverlayDepthContext value={depth}>
                <div className="pt-3">{children}</div>
              </OverlayDepthContext>
            )}
          </div>
          {actions && <div className="flex flex-col-reverse gap-2 border-t px-5 py-4 md:flex-row md:justify-end">{actions}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
