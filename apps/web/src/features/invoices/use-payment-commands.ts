import type { Billing, Invoice, Payment } from '@callout/contract/invoices';
import { useRef } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { toast } from '../../ui/toast.ts';
import { useCreditInvoice, useMarkAsPaid, useReversePayment, useSendInvoice } from './invoices-billing.api.ts';

export type PaymentCommands = ReturnType<typeof usePaymentCommands>;

/** What can be done on the payment page. Held by the page: on a phone the same button is in two places. */
export function usePaymentCommands(billing: Billing, onPaid: () => void) {
  const { job, content_hash, payments, request } = billing;
  const [send, mark, credit, reverse] = [useSendInvoice(), useMarkAsPaid(), useCreditInvoice(), useReversePayment()];
  const ids = useRepeatableIds();

  const sendInvoice = (by_hand: boolean, onAnswered?: () => void) => {
    // Another total is another mail, also when the answer about the first one was lost.
    const what = `send ${by_hand} ${content_hash}`;
    const done = () => ids.forget(what);
    const sent = { id: job.id, mail_id: ids.idFor(what), content_hash, by_hand };
    send.mutate(sent, { onSuccess: done, onError: (error) => hasCode(error, 'ID_TAKEN') && done(), onSettled: () => onAnswered?.() });
  };

  return {
    isSending: send.isPending,
    sendMail: () => {
      if (job.customer?.email) sendInvoice(false);
      else toast.error('Customer email not found');
    },
    /** `onAnswered` also when it failed, which has been reported by then. */
    issueByHand: (onAnswered: () => void) => sendInvoice(true, onAnswered),

    isMarking: mark.isPending,
    markAsPaid: () => {
      const payment = { id: ids.idFor(`paid ${payments.length}`), job_id: job.id, outstanding: request.outstanding };
      mark.mutate(payment, { onSuccess: (answer) => answer.job.status === 'paid' && onPaid() });
    },

    isCrediting: credit.isPending,
    credit: (invoice: Invoice, reason: string | null) =>
      credit.mutateAsync({ invoice, credit_id: ids.idFor(`credit ${invoice.id}`), reason }),

    isReversing: reverse.isPending,
    reverse: (payment: Payment, note: string | null) =>
      reverse.mutateAsync({ payment, reversal_id: ids.idFor(`reverse ${payment.id}`), note }),
  };
}

/** An id for each thing that is done: tried again after a lost answer, it is the same thing. */
export function useRepeatableIds() {
  const ids = useRef(new Map<string, string>());
  return {
    idFor: (what: string) => {
      const id = ids.current.get(what) ?? newId();
      ids.current.set(what, id);
      return id;
    },
    forget: (what: string) => ids.current.delete(what),
  };
}
