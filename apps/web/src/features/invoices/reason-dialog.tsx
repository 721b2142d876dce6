import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface ReasonDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** Of the field, which may stay empty. */
  label: string;
  confirmLabel: string;
  busy: boolean;
  /** Reports its own failure, after which the question stays open with what was typed. */
  onConfirm: (reason: string | null) => Promise<unknown>;
}

/** A question before something is taken back, with room to say why. */
export function ReasonDialog({ open, onOpenChange, title, description, label, confirmLabel, busy, onConfirm }: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const formId = useId();
  const close = () => onOpenChange(false);
  const confirm = () => {
    if (busy) return;
    // A failure has been reported by then.
    onConfirm(reason.trim() || null).then(close, () => undefined);
  };
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      mustAnswer
      actions={
        <>
          <Button disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} tone="danger" busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <TextField
          label={label}
          optional
          maxLength={200}
          value={reason}
          autoComplete="off"
          onChange={({ target }) => setReason(target.value)}
        />
      </form>
    </Sheet>
  );
}
