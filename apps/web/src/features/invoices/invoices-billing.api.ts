import type { Billing, Invoice, Payment } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import type { PaymentInput } from '@callout/contract/payment-form';
import { isZeroAmount } from '@callout/domain/money/money';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { reportUnsentMail } from '../../lib/unsent-mail.ts';
import { toast } from '../../ui/toast.ts';
import { jobKeys } from '../jobs/jobs.api.ts';
import { getStatusToastId } from '../jobs/jobs-status.api.ts';

const getBillingKey = (jobId: string) => ['invoices', 'billing', jobId];

/** Refetched whenever the payment page opens, because people leave the page to correct the customer's email or the settings. */
export function billingQueryOptions(jobId: string) {
  return queryOptions({
    queryKey: getBillingKey(jobId),
    queryFn: ({ signal }) => api.invoices.billing({ id: jobId }, { signal }),
    staleTime: 0,
    meta: { inlineErrors: true, topics: ['jobs', 'customers', 'me'] },
  });
}

/** Builds the URL of an invoice PDF for the job's current state, which may differ from the invoice that was sent. */
export const buildJobInvoicePdfUrl = (jobId: string) => `/api/jobs/${jobId}/invoice.pdf`;

/** Updates the cached data of the payment page and the job page from the server's response. */
function cacheBilling(queryClient: QueryClient, billing: Billing): void {
  const { job, invoice, paid_amount } = billing;
  // Completing or moving the job can no longer be undone after an invoice or a payment.
  toast.dismiss(getStatusToastId(job.id));
  queryClient.setQueryData(billingQueryOptions(job.id).queryKey, billing);
  const billed_amount = invoice?.total_amount ?? null;
  queryClient.setQueryData<Job>(
    jobKeys.detail(job.id),
    (cached) => cached && { ...cached, status: job.status, billed_amount, paid_amount },
  );
}

/** Every mutation in this file can change the job's status, the invoice lists and what the customer owes. */
const invalidatedKeys = [['invoices'], ['jobs'], ['customers']];

interface SendInvoiceResult {
  billing: Billing;
  mail: 'queued' | 'kept' | null;
}

function handleSendResult(queryClient: QueryClient, { billing, mail }: SendInvoiceResult): void {
  cacheBilling(queryClient, billing);
  if (mail === 'kept') reportUnsentMail();
}

/** Says 'Sending', never 'Sent': the email is only queued, and the activity list reports its delivery later. */
function formatSendResult({ billing, mail }: SendInvoiceResult): string | undefined {
  const number = billing.invoice?.invoice_number ?? 'The invoice';
  if (mail === null) return `${number} issued`;
  return mail === 'queued' ? `Sending ${number} to ${billing.mails[0]?.recipient ?? 'the customer'}` : undefined;
}

const SELF_EXPLANATORY_CODES = ['NO_EMAIL', 'INVOICE_CHANGED', 'INVOICE_CLOSED', 'NOTHING_TO_BILL', 'EMAIL_UNCONFIRMED'] as const;

function formatSendFailure(error: unknown): string {
  if (hasErrorCode(error, 'ID_TAKEN')) return 'This email was already sent.';
  const isSelfExplanatory = SELF_EXPLANATORY_CODES.some((code) => hasErrorCode(error, code));
  return isSelfExplanatory ? getErrorMessage(error) : `Failed to send email: ${getErrorMessage(error)}`;
}

interface SendInvoiceInput {
  /** The job's id. */
  id: string;
  /** Reused after a lost response, so that a retry doesn't send a second email. */
  mail_id: string;
  content_hash: string;
  by_hand: boolean;
  /** False if an invoice issued by hand still has to be given to the customer. */
  handed_over: boolean;
}

export function useSendInvoice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (invoice: SendInvoiceInput) => api.invoices.send(invoice),
    onSuccess: (result) => handleSendResult(queryClient, result),
    meta: { subject: 'send-invoice', success: formatSendResult, failure: formatSendFailure, invalidates: invalidatedKeys },
  });
}

/** Takes back a hand-over, from the toast that reports it. */
function useUndoHandOver() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<Invoice, 'id' | 'invoice_number'>) => api.invoices.undoHandOver({ id }),
    onSuccess: (billing) => cacheBilling(queryClient, billing),
    meta: {
      success: (_result: Billing, { invoice_number: number }: Pick<Invoice, 'invoice_number'>) => `${number} is not handed over`,
      failure: 'Failed to undo: {message}',
      invalidates: invalidatedKeys,
    },
  });
}

/** Records that the customer has the invoice, on paper or by its link. Can be undone. */
export function useHandOverInvoice() {
  const queryClient = useQueryClient();
  const { mutate: undo } = useUndoHandOver();
  return useMutation({
    mutationFn: ({ id }: Pick<Invoice, 'id' | 'invoice_number'>) => api.invoices.handOver({ id }),
    onSuccess: (billing, invoice) => {
      cacheBilling(queryClient, billing);
      toast.success(`${invoice.invoice_number} marked as handed over`, { action: { label: 'Undo', run: () => undo(invoice) } });
    },
    meta: {
      failure: 'Failed to mark invoice as handed over: {message}',
      invalidates: invalidatedKeys,
    },
  });
}

export function useRetryInvoiceMail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) => api.invoices.retryMail({ id }),
    onSuccess: (result) => handleSendResult(queryClient, result),
    meta: { subject: 'send-invoice', success: formatSendResult, failure: formatSendFailure, invalidates: invalidatedKeys },
  });
}

export function useCreditInvoice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ invoice, ...credit }: { invoice: Invoice; credit_id: string; reason: string | null; cancel_job: boolean }) =>
      api.invoices.credit({ id: invoice.id, ...credit }),
    onSuccess: (billing) => cacheBilling(queryClient, billing),
    meta: {
      success: (_result: Billing, { invoice, cancel_job }: { invoice: Invoice; cancel_job: boolean }) =>
        `${cancel_job ? 'Job and ' : ''}${invoice.invoice_number} canceled`,
      failure: 'Failed to cancel invoice: {message}',
      invalidates: invalidatedKeys,
    },
  });
}

export const formatPaymentResult = ({ job, request }: Billing) =>
  job.status === 'paid' && isZeroAmount(request.overpaid) ? 'Job marked as paid' : 'Payment recorded';

/** Records the full outstanding amount, dated today, by bank transfer. */
export function useMarkJobAsPaid() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (payment: { id: string; job_id: string; outstanding: string }) =>
      api.payments.record({ amount: null, note: null, ...payment }),
    onSuccess: (billing) => cacheBilling(queryClient, billing),
    meta: {
      success: formatPaymentResult,
      failure: (error) =>
        hasErrorCode(error, 'INVOICE_CHANGED') ? getErrorMessage(error) : `Failed to mark job as paid: ${getErrorMessage(error)}`,
      invalidates: invalidatedKeys,
    },
  });
}

/** Records the deposit requested with the quote, dated today, by bank transfer. */
export function useRecordDeposit() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deposit: { id: string; job_id: string; amount: string; note: null }) => api.payments.record(deposit),
    onSuccess: (billing) => cacheBilling(queryClient, billing),
    meta: { success: formatPaymentResult, failure: 'Failed to record deposit: {message}', invalidates: invalidatedKeys },
  });
}

export function useRecordPayment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (payment: PaymentInput & { id: string; job_id: string; outstanding?: string }) => api.payments.record(payment),
    onSuccess: (billing) => cacheBilling(queryClient, billing),
    meta: {
      success: formatPaymentResult,
      failure: (error) =>
        hasErrorCode(error, 'ID_TAKEN')
          ? 'This payment was already recorded, without your latest changes.'
          : `Failed to record payment: ${getErrorMessage(error)}`,
      invalidates: invalidatedKeys,
      inlineErrors: true,
    },
  });
}

export function useReversePayment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ payment, ...reversal }: { payment: Payment; reversal_id: string; note: string | null }) =>
      api.payments.reverse({ id: payment.id, ...reversal }),
    onSuccess: (billing) => cacheBilling(queryClient, billing),
    meta: { success: 'Payment reversed', failure: 'Failed to reverse payment: {message}', invalidates: invalidatedKeys },
  });
}
