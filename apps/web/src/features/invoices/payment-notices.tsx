import type { Billing, Invoice } from '@callout/contract/invoices';
import { formatRefundNotice } from '@callout/domain/invoices/refund-notice';
import { isZeroAmount } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { Download } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { OnlineButton } from '../../lib/online-button.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { useMe } from '../company/company.api.ts';
import { buildJobInvoicePdfUrl } from './invoices-billing.api.ts';
import { isCredited } from './payment-state.ts';
import type { PaymentCommands } from './use-payment-commands.ts';

interface PaymentNoticesProps {
  billing: Billing;
  commands: PaymentCommands;
  onIssue: () => void;
  onCredit: (invoice: Invoice) => void;
}

export function PaymentNotices({ billing, commands, onIssue, onCredit }: PaymentNoticesProps) {
  const { job, invoice, differs, request, document, paid_amount: paid } = billing;
  const money = (amount: string) => formatMoney(amount, document.currency);
  const isCanceled = job.status === 'canceled';
  const refundNotice = formatRefundNotice(
    { status: job.status, paid, overpaid: request.overpaid, hasOpenInvoice: invoice !== null, isInvoiceCanceled: isCredited(billing) },
    document.currency,
  );
  return (
    <div className="mb-4 space-y-3 empty:hidden print:hidden">
      {isCanceled && invoice && (
        <Banner tone="warn" actions={<Button onClick={() => onCredit(invoice)}>Cancel with a credit note</Button>}>
          {`This job is canceled, but ${invoice.invoice_number} of ${money(invoice.total_amount)} is still open. Its link doesn't request payment.`}
        </Banner>
      )}
      {isCanceled && !invoice && refundNotice === null && <Banner>This job is canceled. There is nothing to pay.</Banner>}
      {!isCanceled && invoice && differs && (
        <ChangedInvoiceNotice billing={billing} invoice={invoice} commands={commands} onIssue={onIssue} />
      )}
      {refundNotice !== null && <Banner tone="warn">{refundNotice}</Banner>}
      {!isCanceled && <DepositNotice billing={billing} />}
    </div>
  );
}

type ChangedInvoiceNoticeProps = Omit<PaymentNoticesProps, 'onCredit'> & { invoice: Invoice };

function ChangedInvoiceNotice({ billing, invoice, commands, onIssue }: ChangedInvoiceNoticeProps) {
  const { current, document } = billing;
  const { sends_mail: sendsMail } = useMe();
  const isSent = invoice.sent_at !== null;
  const [invoiced, now] = [invoice.total_amount, current.exact.amount].map((amount) => formatMoney(amount, document.currency));
  const banner = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = banner.current;
    // Sending the invoice removes the banner. If the banner contains the focus, move the focus to the sent invoices.
    return () => {
      if (element?.contains(window.document.activeElement)) window.document.getElementById('sent-invoices')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <Banner
      ref={banner}
      tone="warn"
      actions={
        <>
          <AnchorButton href={buildJobInvoicePdfUrl(billing.job.id)} download={`Invoice-${billing.job.job_number}.pdf`}>
            <Download aria-hidden="true" />
            PDF of the current job
          </AnchorButton>
          <OnlineButton
            busy={commands.isSending}
            onClick={sendsMail ? commands.sendMail : onIssue}
            disabled={isZeroAmount(current.exact.amount)}
          >
            {sendsMail ? 'Send corrected invoice' : 'Issue corrected invoice'}
          </OnlineButton>
        </>
      }
    >
      <p>{`Differs from the invoice ${isSent ? 'sent' : 'issued'} on ${formatCivilDate(invoice.issued_on)}`}</p>
      <p className="font-normal tabular-nums">{`Invoice: ${invoiced} · Job now: ${now}`}</p>
    </Banner>
  );
}

/** Deposits are requested only until the job is complete or invoiced; then the full amount is due. */
function DepositNotice({ billing: { deposit_amount: deposit, paid_amount: paid, invoice, request, document } }: { billing: Billing }) {
  if (deposit === null || invoice) return null;
  const depositText = formatMoney(deposit, document.currency);
  if (request.what === 'deposit') {
    const unpaidPart = isZeroAmount(paid) ? '' : ` ${formatMoney(request.amount, document.currency)} of it is not paid yet.`;
    return <Banner>{`A deposit of ${depositText} was requested with the quote.${unpaidPart}`}</Banner>;
  }
  return Number(paid) < Number(deposit) ? null : <Banner>{`The deposit of ${depositText} is paid.`}</Banner>;
}
