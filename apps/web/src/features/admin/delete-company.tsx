import type { RegisteredCompany } from '@callout/contract/admin';
import { countText } from '@callout/domain/text/count-text';
import { type SyntheticEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isNameMismatch, useDeleteCompany } from './admin.api.ts';

/** '1 job', '2 jobs'. */

interface DeleteCompanyProps {
  /** Null closes the dialog. */
  company: RegisteredCompany | null;
  onClose: () => void;
}

/** There is no undo, so the company's name must be typed. */
export function DeleteCompany({ company, onClose }: DeleteCompanyProps) {
  const remove = useDeleteCompany();
  const form = useId();
  // Still shown while the dialog closes.
  const [shown, setShown] = useState(company);
  const [typed, setTyped] = useState('');
  const [mismatch, setMismatch] = useState<string>();
  if (company && company !== shown) {
    setShown(company);
    setTyped('');
    setMismatch(undefined);
  }
  const confirm = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!company || remove.isPending) return;
    remove.mutate(
      { id: company.id, confirmation: typed },
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
        if (!open && !remove.isPending) onClose();
      }}
      title="Delete company"
      mustAnswer
      description={
        shown &&
        `This permanently deletes ${shown.label}: ${countText(shown.staff, 'staff member')}, ${countText(shown.jobs, 'job')}, ${countText(shown.customers, 'customer')}, all files and its users' logins. This action cannot be undone.`
      }
      actions={
        <>
          <Button onClick={onClose} disabled={remove.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={form} tone="danger" busy={remove.isPending}>
            {remove.isPending ? 'Deleting…' : 'Delete Company'}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={confirm}>
        <TextField
          label={`Type ${shown?.label ?? ''} to confirm`}
          value={typed}
          error={mismatch}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.target.value);
            setMismatch(undefined);
          }}
        />
      </form>
    </Sheet>
  );
}
