import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { toast } from '../../ui/toast.ts';
import { CreditInvoiceDialog } from './credit-invoice-dialog.tsx';
import { billingQueryOptions, useCreditInvoice } from './invoices-billing.api.ts';
import type { BilledJobCancellation } from './use-cancel-billed-job.tsx';

interface CancelBilledJobDialogProps extends BilledJobCancellation {
  open: boolean;
  onClose: (isCanceled: boolean) => void;
}

/** Offers to cancel a job together with its open invoice. */
export function CancelBilledJobDialog({ jobId, saveEdits, open, onClose }: CancelBilledJobDialogProps) {
  const { data, error, isFetching } = useQuery({ ...billingQueryOptions(jobId), enabled: open });
  const credit = useCreditInvoice();
  const [creditId] = useState(createId);
  const areEditsSaved = useRef(false);
  const invoice = data?.invoice;
  // Someone else may have canceled the invoice a moment ago.
  const problem = error ? getReadErrorMessage(error) : data && !invoice ? 'This invoice has already been canceled. Please try again.' : '';
  const reportProblem = useEffectEvent(() => {
    toast.error(problem);
    onClose(false);
  });
  useEffect(() => {
    if (open && problem && !isFetching) reportProblem();
  }, [open, problem, isFetching]);
  if (!invoice) return null;
  const cancelBoth = async (reason: string | null) => {
    // A retry after a failed credit note must not save the edits again.
    if (saveEdits && !areEditsSaved.current) {
      try {
        await saveEdits();
      } catch (failure) {
        onClose(false);
        throw failure;
      }
      areEditsSaved.current = true;
    }
    await credit.mutateAsync({ invoice, credit_id: creditId, reason, cancel_job: true });
    onClose(true);
  };
  return (
    <CreditInvoiceDialog
      invoice={invoice}
      jobCancellation="included"
      open={open}
      onOpenChange={(isOpen) => isOpen || onClose(false)}
      busy={credit.isPending}
      fallbackFocusId="main"
      onCredit={cancelBoth}
    />
  );
}
