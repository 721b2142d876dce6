import type { Invoice } from '@callout/contract/invoices';
import { formatMoney } from '@callout/domain/money/money-format';
import { ReasonDialog } from './reason-dialog.tsx';

interface CreditInvoiceDialogProps {
  invoice: Invoice;
  /** 'offered' shows a checkbox; 'included' means that the user asked for it; 'none' that the job is already canceled. */
  jobCancellation: 'offered' | 'included' | 'none';
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  /** Id of the element to focus on close if the one that opened the dialog no longer exists. */
  fallbackFocusId: string;
  /** Must report its own failures. */
  onCredit: (reason: string | null, cancelsJob: boolean) => Promise<unknown>;
}

/** Cancels an invoice with a credit note and, if asked for, its job: a job with an open invoice can't be canceled alone. */
export function CreditInvoiceDialog({ invoice, jobCancellation, fallbackFocusId, onCredit, ...dialog }: CreditInvoiceDialogProps) {
  const { id, invoice_number: number, total_amount: total, currency } = invoice;
  const isIncluded = jobCancellation === 'included';
  const creditNote = `A credit note of ${formatMoney(total, currency)} cancels`;
  return (
    <ReasonDialog
      {...dialog}
      recordId={id}
      headingId={fallbackFocusId}
      title={isIncluded ? `Cancel the job and ${number}?` : `Cancel ${number}?`}
      description={`${isIncluded ? `This job has an open invoice. ${creditNote} ${number}` : `${creditNote} it`}. Both stay on record, and the job keeps its payments.`}
      fieldLabel="Reason"
      confirmLabel={isIncluded ? 'Cancel job and invoice' : 'Cancel with a credit note'}
      closeLabel={isIncluded ? 'Keep both' : 'Keep invoice'}
      checkboxLabel={jobCancellation === 'offered' ? 'Cancel the job, too' : undefined}
      onConfirm={({ reason, isChecked }) => onCredit(reason, isIncluded || isChecked)}
    />
  );
}
