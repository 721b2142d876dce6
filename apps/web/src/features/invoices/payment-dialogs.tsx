import type { Billing, Invoice, Payment } from '@callout/contract/invoices';
import type { PaymentMethod } from '@callout/domain/invoices/invoice';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { amountAsked, QrWithLink } from './pay-on-the-spot.tsx';
import { isEarly, linkToPay } from './payment-state.ts';
import type { PaymentCommands } from './use-payment-commands.ts';

/** What is being asked, and about what. */
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

const PAID_HOW: Readonly<Record<PaymentMethod, string>> = {
  bank_transfer: 'paid by bank transfer',
  cash: 'paid in cash',
  card: 'paid by card',
  paypal: 'paid with PayPal',
  other: 'paid',
};

/** Their code comes when they first open. They stay afterwards: what was typed into one is there when it is opened again. */
export function PaymentDialogs({ billing, commands, dialog, onClose, onPaid }: PaymentDialogsProps) {
  const { document } = billing;
  const link = linkToPay(billing);
  const debt = formatMoney(billing.current.exact.amount, document.currency);
  const [recordCount, setRecordCount] = useState(0);
  /** What is being closed stays until it is gone, or the focus could not return. */
  const [latest, setLatest] = useState(dialog);
  if (dialog && dialog !== latest) setLatest(dialog);
  const record = useLazyModule(() => import('./record-payment-dialog.tsx'), dialog?.kind === 'record', onClose);
  const isTakingBack = dialog?.kind === 'reverse' || dialog?.kind === 'credit';
  const takeBack = useLazyModule(() => import('./reason-dialog.tsx'), isTakingBack, onClose);
  const onOpenChange = (open: boolean) => open || onClose();
  const onRecorded = (answer: Billing | undefined) => {
    setRecordCount(recordCount + 1);
    if (answer?.job.status === 'paid') onPaid();
  };
  return (
    <>
      {record && (
        <record.RecordPaymentDialog
          key={recordCount}
          billing={billing}
          open={dialog?.kind === 'record'}
          onOpenChange={onOpenChange}
          onRecorded={onRecorded}
        />
      )}
      {takeBack && latest?.kind === 'reverse' && (
        <takeBack.ReasonDialog
          key={latest.payment.id}
          id={latest.payment.id}
          headingId="payments"
          open={dialog?.kind === 'reverse'}
          onOpenChange={onOpenChange}
          title="Reverse payment?"
          description={`This reverses ${formatMoney(latest.payment.amount, document.currency)} ${PAID_HOW[latest.payment.method]} on ${formatCivilDate(latest.payment.paid_on)}. Both entries stay in the list.`}
          label="Note"
          confirmLabel="Reverse payment"
          busy={commands.isReversing}
          onConfirm={(note) => commands.reverse(latest.payment, note)}
        />
      )}
      {takeBack && latest?.kind === 'credit' && (
        <takeBack.ReasonDialog
          key={latest.invoice.id}
          id={latest.invoice.id}
          headingId="sent-invoices"
          open={dialog?.kind === 'credit'}
          onOpenChange={onOpenChange}
          title={`Cancel ${latest.invoice.invoice_number}?`}
          description={`A credit note of ${formatMoney(latest.invoice.total_amount, document.currency)} cancels it. Both are kept, and payments stay with the job.`}
          label="Reason"
          confirmLabel="Cancel with a credit note"
          busy={commands.isCrediting}
          onConfirm={(reason) => commands.credit(latest.invoice, reason)}
        />
      )}
      <ConfirmDialog
        open={dialog?.kind === 'issue'}
        onOpenChange={onOpenChange}
        title="Issue without email?"
        description={`${isEarly(billing) ? `This job is not complete yet. The invoice for ${debt}` : 'The invoice'} gets its number and date and can't be changed afterwards. No email is sent: print it, or send it yourself.`}
        confirmLabel="Issue invoice"
        tone="primary"
        busy={commands.isSending}
        fallbackFocusId="sent-invoices"
        onConfirm={() => commands.issueByHand(onClose)}
      />
      <ConfirmDialog
        open={dialog?.kind === 'send'}
        onOpenChange={onOpenChange}
        title="Send invoice?"
        description={`This job is not complete yet. The invoice for ${debt} can't be changed after it is sent.`}
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
          title={`Pay ${amountAsked(billing)}`}
          actions={<Button onClick={onClose}>Done</Button>}
        >
          <QrWithLink link={link} />
        </Sheet>
      )}
    </>
  );
}
