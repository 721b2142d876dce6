import type { Job } from '@callout/contract/jobs';
import { isPriceCovered } from '@callout/domain/invoices/invoice';
import { formatMoney } from '@callout/domain/money/money-format';
import { ConfirmDialog } from '../../ui/dialog.tsx';

/** For people who may not manage payments. The server refuses their changes. */
export const PAID_JOB_NOTE = 'This job is paid. Ask an admin, manager or accountant to change its items.';

/**
 * Returns true if changing the job's items asks first: it is paid, or it is unfinished and was paid in advance. People who may not manage
 * payments don't see the amounts, so they learn of an advance payment only from a refusal.
 */
export const hasPaidItems = ({ status, totals, paid_amount = '0' }: Job): boolean =>
  status === 'paid' || isPriceCovered(totals.total_amount, paid_amount);

interface PaidJobQuestionProps {
  job: Job;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}

/** Asks before the items of a paid job are changed, because that changes what the customer owes. */
export function PaidJobQuestion({ job, ...dialog }: PaidJobQuestionProps) {
  const { currency } = job;
  const paid = job.paid_amount === undefined ? 'it' : formatMoney(job.paid_amount, currency);
  return (
    <ConfirmDialog
      {...dialog}
      title="Change the items of a paid job?"
      description={`The customer has paid ${paid}. If the total goes above that, the difference is due.`}
      confirmLabel="Change items"
      tone="primary"
    />
  );
}
