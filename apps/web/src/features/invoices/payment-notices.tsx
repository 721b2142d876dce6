import type { Billing, Invoice } from '@callout/contract/invoices';
import { isZero } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { Download } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { jobInvoicePdfUrl } from './invoices-billing.api.ts';
import type { PaymentCommands } from './use-payment-commands.ts';

interface PaymentNoticesProps {
  billing: Billing;
  commands: PaymentCommands;
  onCredit: (invoice: Invoice) => void;
}

/** What somebody should know before they send or take money. */
export function PaymentNotices({ billing, commands, onCredit }: PaymentNoticesProps) {
  const { job, invoice, differs, request, document } = billing;
  const money = (amount: string) => formatMoney(amount, document.currency);
  const isCanceled = job.status === 'canceled';
  return (
    <div className="mb-4 space-y-3 empty:hidden print:hidden">
      {isCanceled && invoice && (
        <Banner tone="warn" actions={<Button onClick={() => onCredit(invoice)}>Cancel with a credit note</Button>}>
          {`This job is canceled, but ${invoice.invoice_number} of ${money(invoice.total_amount)} is still open. Its link asks for no payment.`}
        </Banner>
      )}
      {isCanceled && !invoice && <Banner>This job is canceled: there is nothing to pay.</Banner>}
      {!isCanceled && invoice && differs && <Differs billing={billing} invoice={invoice} commands={commands} />}
      {!isZero(request.overpaid) && (
        <Banner tone="warn">
          {`${money(request.overpaid)} more was paid than is due. Pay it back and reverse the payment, or bill what it was for.`}
        </Banner>
      )}
      {!isCanceled && <Deposit billing={billing} />}
    </div>
  );
}

function Differs({ billing, invoice, commands }: { billing: Billing; invoice: Invoice; commands: PaymentCommands }) {
  const { current, document } = billing;
  const banner = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = banner.current;
    // It goes once the invoice is sent, and would take the focus with it.
    return () => {
      if (shown?.contains(window.document.activeElement)) window.document.getElementById('sent-invoices')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <Banner
      ref={banner}
      tone="warn"
      actions={
        <>
          <AnchorButton href={jobInvoicePdfUrl(billing.job.id)} download={`Invoice-${billing.job.job_number}.pdf`}>
            <Download aria-hidden="true" />
            PDF of the current job
          </AnchorButton>
          <Button busy={commands.isSending} onClick={commands.sendMail} disabled={isZero(current.exact.amount)}>
            Send corrected invoice
          </Button>
        </>
      }
    >
      <p>{`Differs from the invoice sent on ${formatCivilDate(invoice.issued_on)}`}</p>
      <p className="font-normal tabular-nums">{`Sent: ${document.total} · The job now: ${current.total}`}</p>
    </Banner>
  );
}

/** Asked for when the quote was accepted; once the work is done or billed, everything is. */
function Deposit({ billing: { deposit_amount: deposit, paid_amount: paid, invoice, request, document } }: { billing: Billing }) {
  if (deposit === null || invoice) return null;
  const text = formatMoney(deposit, document.currency);
  if (request.what === 'deposit') {
    const left = isZero(paid) ? '' : ` ${formatMoney(request.amount, document.currency)} of it is not paid yet.`;
    return <Banner>{`A deposit of ${text} was requested with the quote.${left}`}</Banner>;
  }
  return Number(paid) < Number(deposit) ? null : <Banner>{`The deposit of ${text} is paid.`}</Banner>;
}
