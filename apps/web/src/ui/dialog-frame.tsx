import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { useBackCloses } from './use-back-closes.ts';
import { useReturnFocus } from './use-return-focus.ts';

export interface DialogFrameProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode | undefined;
  children?: ReactNode | undefined;
  /** Buttons at the foot, the main one last. */
  actions?: ReactNode | undefined;
  /** A question that must be answered: no close button, a press outside does nothing. */
  mustAnswer?: boolean | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  /** The URL opens it: Back closes it by leading to the URL before. */
  inUrl?: boolean | undefined;
  /** Of the element that gets the focus when what opened it is gone. */
  fallbackFocusId?: string | undefined;
  /** What gets the focus when it closes; where it finds nothing, what opened it. */
  findFocus?: (() => HTMLElement | null) | undefined;
}

const WIDTHS = { small: 'md:max-w-md', medium: 'md:max-w-xl', large: 'md:max-w-3xl' };

const POPUP =
  'fixed inset-x-0 bottom-0 z-60 flex max-h-[90dvh] flex-col rounded-t-2xl bg-raised pb-[env(safe-area-inset-bottom)] shadow-float transition duration-160 ease-out ' +
  'data-ending-style:translate-y-6 data-ending-style:opacity-0 data-starting-style:translate-y-6 data-starting-style:opacity-0 ' +
  'md:inset-x-auto md:top-1/2 md:bottom-auto md:left-1/2 md:w-[calc(100vw-3rem)] md:-translate-x-1/2 md:-translate-y-1/2 md:rounded-card md:pb-0 ' +
  'md:data-ending-style:translate-y-[calc(-50%+0.5rem)] md:data-starting-style:translate-y-[calc(-50%+0.5rem)]';

/** Ctrl or Cmd with S or Enter saves the dialog's form, as it does on a page; not one of a dialog that it has opened itself. */
function saveByKey(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: dialog, target } = event;
  const saves = event.key.toLowerCase() === 's' || event.key === 'Enter';
  if (!saves || !(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
  const form = target instanceof Node && dialog.contains(target) ? dialog.querySelector('form') : null;
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
}

/** A dialog on desks, a sheet from below on phones. Loaded with the first thing that opens one. */
export function DialogFrame({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  mustAnswer = false,
  size = 'small',
  inUrl = false,
  fallbackFocusId,
  findFocus,
}: DialogFrameProps) {
  const returnFocus = useReturnFocus(open, fallbackFocusId, findFocus);
  const content = useRef<HTMLDivElement>(null);
  useBackCloses(open && !inUrl, () => onOpenChange(false));
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={mustAnswer}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-60 bg-scrim transition-opacity duration-160 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          data-modal=""
          role={mustAnswer ? 'alertdialog' : 'dialog'}
          initialFocus={(openedBy) =>
            openedBy === 'touch' || (content.current?.querySelector<HTMLElement>('input:not([readonly]), textarea:not([readonly])') ?? true)
          }
          finalFocus={returnFocus}
          onKeyDown={mustAnswer ? undefined : saveByKey}
          className={classes(POPUP, WIDTHS[size])}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-5">
            <Dialog.Title className="pt-1 text-xl font-semibold lg:pt-0.5">{title}</Dialog.Title>
            {!mustAnswer && (
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
            {children && <div className="pt-3">{children}</div>}
          </div>
          {actions && <div className="flex flex-col-reverse gap-2 border-t px-5 py-4 md:flex-row md:justify-end">{actions}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
