import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { DialogFrameProps } from './dialog-frame.tsx';
import { useLazyModule } from './use-lazy-module.ts';

/** Content over the page: a dialog on desks, a sheet on phones. Its code comes when it first opens. */
export function Sheet(props: DialogFrameProps) {
  const { open, onOpenChange } = props;
  const file = useLazyModule(
    () => import('./dialog-frame.tsx'),
    open,
    () => onOpenChange(false),
  );
  return file ? <file.DialogFrame {...props} /> : null;
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question, e.g. 'Delete customer?' */
  title: string;
  description?: ReactNode;
  /** What the button does, as a verb. */
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
  busy?: boolean;
  /** Of the element that gets the focus when what opened it is gone. */
  fallbackFocusId?: string;
  onConfirm: () => void;
}

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  busy = false,
  fallbackFocusId,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      mustAnswer
      fallbackFocusId={fallbackFocusId}
      actions={
        <>
          <Button onClick={() => onOpenChange(false)} disabled={busy}>
            {cancelLabel}
          </Button>
          <Button tone={tone} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}

interface DeleteDialogProps extends Pick<ConfirmDialogProps, 'open' | 'onOpenChange' | 'title' | 'description'> {
  label?: string;
  busyLabel?: string;
  busy: boolean;
  /** Reports its own failure. */
  onDelete: () => Promise<unknown>;
}

/** The question before something is deleted. It closes when the answer is there, whether it worked or not. */
export function DeleteDialog({ label = 'Delete', busyLabel = 'Deleting…', onDelete, ...rest }: DeleteDialogProps) {
  const close = () => rest.onOpenChange(false);
  return <ConfirmDialog {...rest} confirmLabel={rest.busy ? busyLabel : label} onConfirm={() => void onDelete().then(close, close)} />;
}
