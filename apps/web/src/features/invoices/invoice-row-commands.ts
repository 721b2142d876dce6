import type { InvoiceRow } from '@callout/contract/invoices';
import { isUnpaidStatus } from '@callout/domain/invoices/invoice';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, HandCoins, Mail } from 'lucide-react';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { useNeedsConnection } from '../../lib/online-button.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { isInvoiceUnsent } from './invoice-labels.tsx';
import { billingQueryOptions, useHandOverInvoice, useMarkJobAsPaid, useSendInvoice } from './invoices-billing.api.ts';
import { useIdempotencyKeys } from './use-payment-commands.ts';

/** Returns the menu items that send an unpaid invoice or mark it as paid. Settled invoices and credit notes have none. */
export function useInvoiceRowCommands(invoice: InvoiceRow) {
  const { sends_mail: sendsMail } = useMe();
  const [send, markPaid, handOver] = [useSendInvoice(), useMarkJobAsPaid(), useHandOverInvoice()];
  const keys = useIdempotencyKeys();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const disabledReason = useNeedsConnection();
  const { id, job_id, balance, kind, shown_status: status } = invoice;
  if (kind === 'credit_note' || !isUnpaidStatus(status)) return [];

  /** Ends an operation that the server has applied, now or in an earlier attempt. Its next use is a new operation. */
  const clearWhenApplied = (operation: string) => ({
    onSuccess: () => keys.clearKey(operation),
    onError: (error: unknown) => hasErrorCode(error, 'ID_TAKEN') && keys.clearKey(operation),
  });
  /** Sends only what the list shows: if the job has changed since, its payment page shows both totals first. */
  const sendMail = async () => {
    try {
      const { invoice: open, differs, content_hash } = await queryClient.query(billingQueryOptions(job_id));
      if (open?.id !== id || differs) {
        toast.blank('This job has changed since it was invoiced. Please check it before you send the invoice.');
        await navigate({ to: '/jobs/$id/payment', params: { id: job_id } });
        return;
      }
      const operation = `send ${content_hash}`;
      const mail = { id: job_id, mail_id: keys.getKey(operation), content_hash, by_hand: false, handed_over: true };
      send.mutate(mail, clearWhenApplied(operation));
    } catch (error) {
      reportFailure(error, `Failed to send email: ${getErrorMessage(error)}`);
    }
  };
  const markAsPaid = () => {
    const operation = `paid ${balance}`;
    markPaid.mutate({ id: keys.getKey(operation), job_id, outstanding: balance }, clearWhenApplied(operation));
  };
  return [
    ...(sendsMail ? [{ label: 'Send Payment Email', icon: Mail, onSelect: () => void sendMail(), disabledReason }] : []),
    ...(isInvoiceUnsent(invoice)
      ? [{ label: 'Mark as handed over', icon: HandCoins, onSelect: () => handOver.mutate(invoice), disabledReason }]
      : []),
    { label: 'Mark as Paid', icon: Check, onSelect: markAsPaid, disabledReason },
  ];
}
