import { type SyntheticEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isNameMismatch } from './company-deletion.api.ts';

interface TypeCompanyNameDialogProps {
  open: boolean;
  onClose: () => void;
  /** The company's name, or what identifies a company without one. */
  label: string;
  description: string;
  /** Label of the button while the request runs. */
  busyLabel: string;
  busy: boolean;
  onConfirm: (confirmation: string, onError: (error: unknown) => void) => void;
}

/** Asks the user to type the company's name before the company is deleted. */
export function TypeCompanyNameDialog({ open, onClose, label, description, busyLabel, busy, onConfirm }: TypeCompanyNameDialogProps) {
  const formId = useId();
  return (
    <Sheet
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen && !busy) onClose();
      }}
      title="Delete company"
      isAlertDialog
      description={description}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={formId} tone="danger" busy={busy}>
            {busy ? busyLabel : 'Delete Company'}
          </Button>
        </>
      }
    >
      <CompanyNameForm
        id={formId}
        label={label}
        onSubmit={(confirmation, onError) => {
          if (!busy) onConfirm(confirmation, onError);
        }}
      />
    </Sheet>
  );
}

interface CompanyNameFormProps {
  id: string;
  label: string;
  onSubmit: TypeCompanyNameDialogProps['onConfirm'];
}

/** Rendered inside the sheet, so that each opening starts with an empty field. A remembered name would delete with one click. */
function CompanyNameForm({ id, label, onSubmit }: CompanyNameFormProps) {
  const [confirmation, setConfirmation] = useState('');
  const [isMismatch, setMismatch] = useState(false);
  const confirm = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit(confirmation, (error) => setMismatch(isNameMismatch(error)));
  };
  return (
    <form id={id} noValidate onSubmit={confirm}>
      <TextField
        label={`Type ${label} to confirm`}
        value={confirmation}
        error={isMismatch ? "That doesn't match the company name." : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => {
          setConfirmation(event.target.value);
          setMismatch(false);
        }}
      />
    </form>
  );
}
