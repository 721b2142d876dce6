import { type ReactNode, useId } from 'react';
import { useForm } from 'react-hook-form';
import { useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useMe } from '../company/company.api.ts';

interface ReasonDialogProps {
  /** Of what is taken back: a reason typed for it is not offered for anything else. */
  id: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** Of the field, which may stay empty. */
  label: string;
  confirmLabel: string;
  busy: boolean;
  /** Of the heading that gets the focus when the row has no button left. */
  headingId: string;
  /** Reports its own failure, after which the question stays open with what was typed. */
  onConfirm: (reason: string | null) => Promise<unknown>;
}

/** A question before something is taken back, with room to say why. */
export function ReasonDialog({
  id,
  open,
  onOpenChange,
  title,
  description,
  label,
  confirmLabel,
  busy,
  headingId,
  onConfirm,
}: ReasonDialogProps) {
  const form = useForm({ defaultValues: { reason: '' } });
  useDraft(form, useMe().user.id, { part: `reason ${id}` });
  const formId = useId();
  const close = () => onOpenChange(false);
  const confirm = form.handleSubmit(({ reason }) => {
    // A failure has been reported by then.
    if (!busy) onConfirm(reason.trim() || null).then(close, () => undefined);
  });
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      mustAnswer
      fallbackFocusId={headingId}
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
      <form id={formId} noValidate onSubmit={confirm}>
        <TextField {...form.register('reason')} label={label} optional maxLength={200} autoComplete="off" />
      </form>
    </Sheet>
  );
}
