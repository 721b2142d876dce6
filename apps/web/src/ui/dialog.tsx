import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { DialogFrameProps } from './dialog-frame.tsx';
import { useLazyModule } from './use-lazy-module.ts';

/** Dialog on desktop, bottom sheet on phones. The code loads when the first sheet opens. */
export function Sheet(props: DialogFrameProps) {
  const { open, onOpenChange } = props;
  const loaded = useLazyModule(
    () => import('./dialog-frame.tsx'),
    open,
    () => onOpenChange(false),
  );
  return loaded ? <loaded.DialogFrame {...props} /> : null;
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Question, e.g. 'Delete customer?' */
  title: string;
  description?: ReactNode;
  /** Button label that starts with a verb. */
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
  busy?: boolean;
  /** Id of the element to focus on close if the opener no longer exists. */
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
      isAlertDialog
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

interface DeleteDialogProps extends Pick<ConfirmDialogProps, 'open' | 'onOpenChange' | 'title' | 'description' | 'fallbackFocusId'> {
  label?: string;
  busyLabel?: string;
  busy: boolean;
  /** Must report its own failures, because the dialog closes either way. */
  onDelete: () => Promise<unknown>;
}

/** Asks before deleting. Closes when the request finishes, even if the deletion failed. */
export function DeleteDialog({ label = 'Delete', busyLabel = 'Deleting…', onDelete, ...rest }: DeleteDialogProps) {
  const close = () => rest.onOpenChange(false);
  return <ConfirmDialog {...rest} confirmLabel={rest.busy ? busyLabel : label} onConfirm={() => void onDelete().then(close, close)} />;
}
