import type { RegisteredCompany } from '@callout/contract/admin';
import { pluralize } from '@callout/domain/text/count-format';
import { type SyntheticEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isNameMismatch, useDeleteCompany } from './admin.api.ts';

interface DeleteCompanyDialogProps {
  /** The company to delete; null while the dialog is closed. */
  company: RegisteredCompany | null;
  onClose: () => void;
}

/** Asks the user to type the company's name, because deleting a company can't be undone. */
export function DeleteCompanyDialog({ company, onClose }: DeleteCompanyDialogProps) {
  const deleteCompany = useDeleteCompany();
  const formId = useId();
  // Keeps showing the company during the closing animation, when `company` is already null.
  const [displayedCompany, setDisplayedCompany] = useState(company);
  const [confirmation, setConfirmation] = useState('');
  const [mismatch, setMismatch] = useState<string>();
  if (company && company !== displayedCompany) {
    setDisplayedCompany(company);
    setConfirmation('');
    setMismatch(undefined);
  }
  const confirm = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!company || deleteCompany.isPending) return;
    deleteCompany.mutate(
      { id: company.id, confirmation },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (isNameMismatch(error)) setMismatch("That doesn't match the company name.");
        },
      },
    );
  };
  return (
    <Sheet
      open={company !== null}
      onOpenChange={(open) => {
        if (!open && !deleteCompany.isPending) onClose();
      }}
      title="Delete company"
      isAlertDialog
      description={
        displayedCompany &&
        `This permanently deletes ${displayedCompany.label}: ${pluralize(displayedCompany.staff, 'staff member')}, ${pluralize(displayedCompany.jobs, 'job')}, ${pluralize(displayedCompany.customers, 'customer')}, all files and its users' logins. This action cannot be undone.`
      }
      actions={
        <>
          <Button onClick={onClose} disabled={deleteCompany.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} tone="danger" busy={deleteCompany.isPending}>
            {deleteCompany.isPending ? 'Deleting…' : 'Delete Company'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={confirm}>
        <TextField
          label={`Type ${displayedCompany?.label ?? ''} to confirm`}
          value={confirmation}
          error={mismatch}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setConfirmation(event.target.value);
            setMismatch(undefined);
          }}
        />
      </form>
    </Sheet>
  );
}
