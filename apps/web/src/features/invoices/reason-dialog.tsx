import { type ReactNode, useId } from 'react';
import { useForm } from 'react-hook-form';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { OnlineButton } from '../../lib/online-button.tsx';
import { useSessionDraft } from '../../lib/use-session-draft.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useMe } from '../company/company.api.ts';

interface ReasonDialogProps {
  /** Id of the payment or invoice. Each record has its own draft of the reason. */
  recordId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  fieldLabel: string;
  confirmLabel: string;
  /** Defaults to 'Cancel', which would confuse if the dialog is about canceling. */
  closeLabel?: string | undefined;
  /** Offers something to do at the same time. */
  checkboxLabel?: string | undefined;
  busy: boolean;
  /** Id of the heading to focus on close if the menu that opened the dialog no longer exists. */
  headingId: string;
  /** Must report its own failures. The dialog stays open with the typed reason, unless someone else has done the same in the meantime. */
  onConfirm: (answer: { reason: string | null; isChecked: boolean }) => Promise<unknown>;
}

/** Returns true if the record has already been reversed or canceled, so that there is nothing left to confirm. */
const isAlreadyDone = (error: unknown) => hasErrorCode(error, 'PAYMENT_REVERSED') || hasErrorCode(error, 'INVOICE_CLOSED');

/** Asks the user to confirm a reversal or cancellation and to enter an optional reason. */
export function ReasonDialog({
  recordId,
  open,
  onOpenChange,
  title,
  description,
  fieldLabel,
  confirmLabel,
  closeLabel = 'Cancel',
  checkboxLabel,
  busy,
  headingId,
  onConfirm,
}: ReasonDialogProps) {
  const form = useForm({ defaultValues: { reason: '', isChecked: false } });
  useSessionDraft(form, useMe().user.id, { part: `reason ${recordId}` });
  const formId = useId();
  const close = () => onOpenChange(false);
  const confirm = form.handleSubmit(({ reason, isChecked }) => {
    if (!busy) onConfirm({ reason: reason.trim() || null, isChecked }).then(close, (error) => isAlreadyDone(error) && close());
  });
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      isAlertDialog
      fallbackFocusId={headingId}
      actions={
        <>
          <Button disabled={busy} onClick={close}>
            {closeLabel}
          </Button>
          <OnlineButton type="submit" form={formId} tone="danger" busy={busy}>
            {confirmLabel}
          </OnlineButton>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={confirm}>
        <TextField {...form.register('reason')} label={fieldLabel} optional maxLength={200} autoComplete="off" />
        {checkboxLabel && <CheckboxField {...form.register('isChecked')} label={checkboxLabel} className="mt-3" />}
      </form>
    </Sheet>
  );
}
