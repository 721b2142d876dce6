import { useState } from 'react';
import { MAIL_NOT_SET_UP_MESSAGE } from '../../lib/unsent-mail.ts';
import { Button } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { useMe, useProfile } from './company.api.ts';
import { useRequestCompanyDeletion } from './company-deletion.api.ts';
import { TypeCompanyNameDialog } from './type-company-name-dialog.tsx';

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
  const label = profile?.company_name?.trim() || profile?.email || profile?.company_id || '';
  return (
    <TypeCompanyNameDialog
      open={open}
      onClose={onClose}
      label={label}
      description={`${label} closes now: no one can work in it, and your customers' links stop working. In 7 days, all customers, quotes, jobs, invoices, files and logins are deleted. ${
        canMail ? 'All admins get an email.' : `${MAIL_NOT_SET_UP_MESSAGE} Please tell any other admins yourself.`
      }`}
      busyLabel="Closing…"
      busy={request.isPending}
      onConfirm={(confirmation, onError) => request.mutate(confirmation, { onError })}
    />
  );
}
