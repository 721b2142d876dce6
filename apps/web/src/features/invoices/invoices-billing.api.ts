import type { Billing, Invoice, Payment } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import type { PaymentForm } from '@callout/contract/payment-form';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportKeptMail } from '../../lib/kept-mail.ts';
import { jobKeys } from '../jobs/jobs.api.ts';

/** What the payment page of a job reads; everything else of invoices is apart from it. */
const billingKey = (jobId: string) => ['invoices', 'billing', jobId];

/** Also read again when the page is opened: it names the customer's email and the settings, which people go and correct. */
export function billingOptions(jobId: string) {
  return queryOptions({
    queryKey: billingKey(jobId),
    queryFn: ({ signal }) => api.invoices.billing({ id: jobId }, { signal }),
    staleTime: 0,
    meta: { inlineErrors: true, topics: ['jobs', 'customers', 'me'] },
  });
}

/** A file for the browser to download: the job as it is now. */
export const jobInvoicePdfUrl = (jobId: string) => `/api/jobs/${jobId}/invoice.pdf`;

/** Shows what the server answered on the payment page and on the page of the job. */
function showBilling(queryClient: QueryClient, billing: Billing): void {
  const { job, invoice, paid_amount } = billing;
  queryClient.setQueryData(billingOptions(job.id).queryKey, billing);
  const billed_amount = invoice?.total_amount ?? null;
  queryClient.setQueryData<Job>(jobKeys.detail(job.id), (shown) => shown && { ...shown, status: job.status, billed_amount, paid_amount });
}

/** What changes with every command here: the job's status, lists of invoices, what a customer owes. */
const refreshes = [['invoices'], ['jobs'], ['customers']];

interface SentInvoice {
  billing: Billing;
  mail: 'queued' | 'kept' | null;
}

function showSent(queryClient: QueryClient, { billing, mail }: SentInvoice): void {
  showBilling(queryClient, billing);
  if (mail === 'kept') reportKeptMail();
}

/** Nothing says that a mail has been sent before it has: the list of mails does that. */
function sentText({ billing, mail }: SentInvoice): string | undefined {
  const number = billing.invoice?.invoice_number ?? 'The invoice';
  if (mail === null) return `${number} issued`;
  return mail === 'queued' ? `Sending ${number} to ${billing.mails[0]?.recipient ?? 'the customer'}` : undefined;
}

const SELF_EXPLANATORY = ['NO_EMAIL', 'INVOICE_CHANGED', 'INVOICE_CLOSED', 'NOTHING_TO_BILL', 'EMAIL_UNCONFIRMED'] as const;

function sendFailure(error: unknown): string {
  if (hasCode(error, 'ID_TAKEN')) return 'This email was already sent.';
  const isClear = SELF_EXPLANATORY.some((code) => hasCode(error, code));
  return isClear ? messageOf(error) : `Failed to send email: ${messageOf(error)}`;
}

interface InvoiceToSend {
  /** Of the job. */
  id: string;
  /** The same again after a lost answer, so that it is one mail. */
  mail_id: string;
  content_hash: string;
  by_hand: boolean;
}

export function useSendInvoice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (invoice: InvoiceToSend) => api.invoices.send(invoice),
    onSuccess: (answer) => showSent(queryClient, answer),
    meta: { success: sentText, failure: sendFailure, refreshes },
  });
}

export function useRetryInvoiceMail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) => api.invoices.retryMail({ id }),
    onSuccess: (answer) => showSent(queryClient, answer),
    meta: { success: sentText, failure: sendFailure, refreshes },
  });
}

export function useCreditInvoice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ invoice, ...credit }: { invoice: Invoice; credit_id: string; reason: string | null }) =>
      api.invoices.credit({ id: invoice.id, ...credit }),
    onSuccess: (billing) => showBilling(queryClient, billing),
    meta: {
      success: (_answer: Billing, { invoice }: { invoice: Invoice }) => `${invoice.invoice_number} canceled`,
      failure: 'Failed to cancel invoice: {message}',
      refreshes,
    },
  });
}

export const paidText = ({ job }: Billing) => (job.status === 'paid' ? 'Job marked as paid' : 'Payment recorded');

/** All that is due, today, by bank transfer. */
export function useMarkAsPaid() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (payment: { id: string; job_id: string; outstanding: string }) =>
      api.payments.record({ amount: null, note: null, ...payment }),
    onSuccess: (billing) => showBilling(queryClient, billing),
    meta: {
      success: paidText,
      failure: (error) => (hasCode(error, 'INVOICE_CHANGED') ? messageOf(error) : `Failed to mark job as paid: ${messageOf(error)}`),
      refreshes,
    },
  });
}

/** What was requested with the quote, today, by bank transfer. */
export function useRecordDeposit() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deposit: { id: string; job_id: string; amount: string; note: null }) => api.payments.record(deposit),
    onSuccess: (billing) => showBilling(queryClient, billing),
    meta: { success: paidText, failure: 'Failed to record deposit: {message}', refreshes },
  });
}

export function useRecordPayment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (payment: PaymentForm & { id: string; job_id: string }) => api.payments.record(payment),
    onSuccess: (billing) => showBilling(queryClient, billing),
    meta: {
      success: paidText,
      failure: (error) =>
        hasCode(error, 'ID_TAKEN')
          ? 'This payment was already recorded, without your latest changes.'
          : `Failed to record payment: ${messageOf(error)}`,
      refreshes,
      inlineErrors: true,
    },
  });
}

export function useReversePayment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ payment, ...reversal }: { payment: Payment; reversal_id: string; note: string | null }) =>
      api.payments.reverse({ id: payment.id, ...reversal }),
    onSuccess: (billing) => showBilling(queryClient, billing),
    meta: { success: 'Payment reversed', failure: 'Failed to reverse payment: {message}', refreshes },
  });
}
