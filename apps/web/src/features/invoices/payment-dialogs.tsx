import type { Billing, Invoice, Payment } from '@callout/contract/invoices';
import type { PaymentMethod } from '@callout/domain/invoices/invoice';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useMe } from '../company/company.api.ts';
import { formatRequestedAmount, PaymentQrWithLink } from './in-person-payment.tsx';
import { getPaymentLink, isInvoicingEarly } from './payment-state.ts';
import type { PaymentCommands } from './use-payment-commands.ts';

export type PaymentDialog =
  | { readonly kind: 'record' | 'qr' | 'issue' | 'send' }
  | { readonly kind: 'reverse'; readonly payment: Payment }
  | { readonly kind: 'credit'; readonly invoice: Invoice };

interface PaymentDialogsProps {
  billing: Billing;
  commands: PaymentCommands;
  dialog: PaymentDialog | null;
  onClose: () => void;
  onPaid: () => void;
}

const PAID_BY_LABELS: Readonly<Record<PaymentMethod, string>> = {
  bank_transfer: 'by bank transfer',
  cash: 'in cash',
  card: 'by card',
  paypal: 'with PayPal',
  other: 'made',
};

/** Loads each dialog on first use and keeps it mounted after it closes, so that reopening the dialog restores unsaved input. */
export function PaymentDialogs({ billing, commands, dialog, onClose, onPaid }: PaymentDialogsProps) {
  const { document, invoice } = billing;
  const { sends_mail: sendsMail } = useMe();
  const link = getPaymentLink(billing);
  const isCanceled = billing.job.status === 'canceled';
  const amount = formatMoney(billing.current.exact.amount, document.currency);
  const replacement = invoice
    ? ` It replaces ${invoice.invoice_number} of ${formatMoney(invoice.total_amount, invoice.currency)}, which is canceled with a credit note.`
    : '';
  const nameless =
    billing.current.customer === null
      ? ' This job has no customer, so the invoice names no one. You can choose a customer in Edit Job first.'
      : '';
  const [recordCount, setRecordCount] = useState(0);
  const { subject: latestDialog } = useDialogSubject(dialog);
  const recordModule = useLazyModule(() => import('./record-payment-dialog.tsx'), dialog?.kind === 'record', onClose);
  const reasonModule = useLazyModule(() => import('./reason-dialog.tsx'), dialog?.kind === 'reverse', onClose);
  const creditModule = useLazyModule(() => import('./credit-invoice-dialog.tsx'), dialog?.kind === 'credit', onClose);
  const onOpenChange = (open: boolean) => open || onClose();
  const onRecorded = (result: Billing | undefined) => {
    setRecordCount(recordCount + 1);
    if (result?.job.status === 'paid') onPaid();
  };
  return (
    <>
      {recordModule && (
        <recordModule.RecordPaymentDialog
          key={recordCount}
          billing={billing}
          open={dialog?.kind === 'record'}
          onOpenChange={onOpenChange}
          onRecorded={onRecorded}
        />
      )}
      {reasonModule && latestDialog?.kind === 'reverse' && (
        <reasonModule.ReasonDialog
          key={latestDialog.payment.id}
          recordId={latestDialog.payment.id}
          headingId="payments"
          open={dialog?.kind === 'reverse'}
          onOpenChange={onOpenChange}
          title="Reverse payment?"
          description={`This reverses the payment of ${formatMoney(latestDialog.payment.amount, document.currency)} ${PAID_BY_LABELS[latestDialog.payment.method]} on ${formatCivilDate(latestDialog.payment.paid_on)}. Both entries stay in the list.`}
          fieldLabel="Note"
          confirmLabel="Reverse payment"
          busy={commands.isReversing}
          onConfirm={({ reason: note }) => commands.reverse(latestDialog.payment, note)}
        />
      )}
      {creditModule && latestDialog?.kind === 'credit' && (
        <creditModule.CreditInvoiceDialog
          key={latestDialog.invoice.id}
          invoice={latestDialog.invoice}
          jobCancellation={isCanceled ? 'none' : 'offered'}
          fallbackFocusId="sent-invoices"
          open={dialog?.kind === 'credit'}
          onOpenChange={onOpenChange}
          busy={commands.isCrediting}
          onCredit={(reason, cancelsJob) => commands.credit(latestDialog.invoice, reason, cancelsJob)}
        />
      )}
      <ConfirmDialog
        open={dialog?.kind === 'issue'}
        onOpenChange={onOpenChange}
        title={sendsMail ? 'Issue without email?' : invoice ? 'Issue corrected invoice?' : 'Issue invoice?'}
        description={`${isInvoicingEarly(billing) ? `This job is not complete yet. The invoice for ${amount}` : 'The invoice'} gets a number and a date and can't be changed afterwards.${replacement}${nameless} No email is sent: give it to your customer yourself, then mark it as handed over.`}
        confirmLabel="Issue invoice"
        tone="primary"
        busy={commands.isSending}
        fallbackFocusId="sent-invoices"
        onConfirm={() => commands.issueWithoutMail(onClose)}
      />
      <ConfirmDialog
        open={dialog?.kind === 'send'}
        onOpenChange={onOpenChange}
        title="Send invoice?"
        description={`This job is not complete yet. The invoice for ${amount} can't be changed after it is sent.${replacement}`}
        confirmLabel="Send invoice"
        tone="primary"
        onConfirm={() => {
          commands.sendMail();
          onClose();
        }}
      />
      {link && (
        <Sheet
          open={dialog?.kind === 'qr'}
          onOpenChange={onOpenChange}
          title={`Pay ${formatRequestedAmount(billing)}`}
          actions={<Button onClick={onClose}>Done</Button>}
        >
          <PaymentQrWithLink link={link} />
        </Sheet>
      )}
    </>
  );
}
