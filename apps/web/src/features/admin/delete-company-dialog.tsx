import type { RegisteredCompany } from '@callout/contract/admin';
import { pluralize } from '@callout/domain/text/count-format';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { TypeCompanyNameDialog } from '../company/type-company-name-dialog.tsx';
import { useDeleteCompany } from './admin.api.ts';

interface DeleteCompanyDialogProps {
  /** The company to delete; null while the dialog is closed. */
  company: RegisteredCompany | null;
  onClose: () => void;
}

export function DeleteCompanyDialog({ company, onClose }: DeleteCompanyDialogProps) {
  const deleteCompany = useDeleteCompany();
  const { subject: displayed } = useDialogSubject(company);
  if (!displayed) return null;
  const { id, label, staff, jobs, customers } = displayed;
  return (
    <TypeCompanyNameDialog
      key={id}
      open={company !== null}
      onClose={onClose}
      label={label}
      description={`This permanently deletes ${label}: ${pluralize(staff, 'staff member')}, ${pluralize(jobs, 'job')}, ${pluralize(customers, 'customer')}, all files and its users' logins. This action cannot be undone.`}
      busyLabel="Deleting…"
      busy={deleteCompany.isPending}
      onConfirm={(confirmation, onError) => deleteCompany.mutate({ id, confirmation }, { onSuccess: onClose, onError })}
    />
  );
}
