import { type SyntheticEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useMe, useProfile } from './company.api.ts';
import { isNameMismatch, useRequestCompanyDeletion } from './company-deletion.api.ts';

/** Lets an admin delete the company. It is closed for a week first, in which any admin can undo the deletion. */
export function DeleteCompanySection() {
  const [isOpen, setOpen] = useState(false);
  return (
    <FormSection
      title="Delete company"
      description="Closes the company for everyone. After 7 days, all its data is deleted for good. Until then, an admin can undo it."
    >
      <div className="sm:col-span-6">
        <Button tone="danger" onClick={() => setOpen(true)}>
          Delete company
        </Button>
      </div>
      <DeleteCompanyDialog open={isOpen} onClose={() => setOpen(false)} />
    </FormSection>
  );
}

function DeleteCompanyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const profile = useProfile();
  const canMail = useMe().sends_mail;
  const request = useRequestCompanyDeletion();
  const formId = useId();
  const [confirmation, setConfirmation] = useState('');
  const [mismatch, setMismatch] = useState<string>();
  const label = profile?.company_name?.trim() || profile?.email || profile?.company_id || '';
  const confirm = (event: SyntheticEvent) => {
    event.preventDefault();
    if (request.isPending) return;
    request.mutate(confirmation, {
      onError: (error) => {
        if (isNameMismatch(error)) setMismatch("That doesn't match the company name.");
      },
    });
  };
  return (
    <Sheet
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen && !request.isPending) onClose();
      }}
      title="Delete company"
      isAlertDialog
      description={`${label} closes now: no one can work in it, and your customers' links stop working. In 7 days, all customers, quotes, jobs, invoices, files and logins are deleted. ${
        canMail ? 'All admins get an email.' : "Email isn't set up on this server, so please tell the other admins yourself."
      }`}
      actions={
        <>
          <Button onClick={onClose} disabled={request.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} tone="danger" busy={request.isPending}>
            {request.isPending ? 'Closing…' : 'Delete Company'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={confirm}>
        <TextField
          label={`Type ${label} to confirm`}
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
