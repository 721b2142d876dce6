import type { Billing, Invoice, Payment } from '@callout/contract/invoices';
import { useRef } from 'react';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { toast } from '../../ui/toast.ts';
import { useCreditInvoice, useHandOverInvoice, useMarkJobAsPaid, useReversePayment, useSendInvoice } from './invoices-billing.api.ts';

export type PaymentCommands = ReturnType<typeof usePaymentCommands>;

/** Call this once per payment page: two buttons can trigger the same command, and both must reflect its state. */
export function usePaymentCommands(billing: Billing, onPaid: () => void) {
  const { job, content_hash, payments, request } = billing;
  const [send, markPaid, credit, reverse] = [useSendInvoice(), useMarkJobAsPaid(), useCreditInvoice(), useReversePayment()];
  const handOver = useHandOverInvoice();
  const keys = useIdempotencyKeys();

  const sendInvoice = (by_hand: boolean, onSettled?: () => void) => {
    // The key includes the content hash, so that changed content is sent as a new email even if the first response was lost.
    const operation = `send ${by_hand} ${content_hash}`;
    const done = () => keys.clearKey(operation);
    const input = { id: job.id, mail_id: keys.getKey(operation), content_hash, by_hand, handed_over: !by_hand };
    send.mutate(input, { onSuccess: done, onError: (error) => hasErrorCode(error, 'ID_TAKEN') && done(), onSettled: () => onSettled?.() });
  };

  return {
    isSending: send.isPending,
    sendMail: () => {
      if (job.customer?.email) sendInvoice(false);
      else toast.error('Customer email not found');
    },
    /** `onSettled` runs after success and failure. By then, a failure has already been reported. */
    issueWithoutMail: (onSettled: () => void) => sendInvoice(true, onSettled),

    isHandingOver: handOver.isPending,
    handOver: (invoice: Invoice) => handOver.mutate(invoice),

    isMarkingPaid: markPaid.isPending,
    markAsPaid: () => {
      const payment = { id: keys.getKey(`paid ${payments.length}`), job_id: job.id, outstanding: request.outstanding };
      markPaid.mutate(payment, { onSuccess: (result) => result.job.status === 'paid' && onPaid() });
    },

    isCrediting: credit.isPending,
    credit: (invoice: Invoice, reason: string | null, cancel_job: boolean) =>
      credit.mutateAsync({ invoice, credit_id: keys.getKey(`credit ${invoice.id}`), reason, cancel_job }),

    isReversing: reverse.isPending,
    reverse: (payment: Payment, note: string | null) =>
      reverse.mutateAsync({ payment, reversal_id: keys.getKey(`reverse ${payment.id}`), note }),
  };
}

/** Creates idempotency keys. An operation keeps its key until `clearKey`, so that a retry after a lost response isn't applied twice. */
export function useIdempotencyKeys() {
  const keys = useRef(new Map<string, string>());
  return {
    getKey: (operation: string) => {
      const id = keys.current.get(operation) ?? createId();
      keys.current.set(operation, id);
      return id;
    },
    clearKey: (operation: string) => keys.current.delete(operation),
  };
}
