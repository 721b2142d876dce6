import type { PublicInvoice } from '@callout/contract/public-invoices';
import { formatReplacedInvoice } from '@callout/domain/invoices/invoice';
import { formatAmount, formatMoney } from '@callout/domain/money/money-format';
import { pluralize } from '@callout/domain/text/count-format';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { AmountRow, LineTable } from '../../../public-pages/document-lines.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { isPaymentDue } from './payment-methods.ts';
import { CARD_CLASSES } from './public-invoice-header.tsx';

/** Shows the items and totals, collapsed by default but always expanded in print. */
export function InvoiceDetails({ invoice: { state, document, replaces } }: { invoice: PublicInvoice }) {
  const [isOpen, setOpen] = useState(false);
  const { items, fee, invoice_number, issued } = document;
  return (
    <section aria-labelledby="details" className="rounded-card bg-surface shadow-card print:shadow-none">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls="invoice-details"
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-14 w-full items-center gap-x-2 rounded-card px-[16px] py-2 text-left -outline-offset-2 print:min-h-0 print:px-0"
        >
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
            <span id="details" className="text-lg font-semibold">
              Invoice Details
            </span>
            <span className="text-base font-normal text-ink-2 tabular-nums">{pluralize(items.length, 'item')}</span>
          </span>
          <ChevronDown
            aria-hidden="true"
            className={classNames('size-5 shrink-0 text-ink-3 transition-transform duration-120 print:hidden', isOpen && 'rotate-180')}
          />
        </button>
      </h2>
      <div id="invoice-details" className={classNames('px-[16px] pb-4 print:px-0', !isOpen && 'hidden print:block')}>
        {invoice_number === null ? (
          state === 'draft' && (
            <p className="mb-2 text-sm text-ink-2">This invoice hasn't been issued yet. It shows the job's current state.</p>
          )
        ) : (
          <dl className="mb-2 space-y-0.5 text-base">
            <DetailRow label="Invoice number" text={invoice_number} />
            {issued !== null && <DetailRow label="Issued" text={issued} />}
            {replaces !== null && <DetailRow label="Replaces" text={formatReplacedInvoice(replaces)} />}
          </dl>
        )}
        <div className="border-t pt-1">
          <LineTable caption="Invoice Details" lines={items} totals={document} fee={fee} emptyText="No items found for this invoice." />
        </div>
        {fee !== null && <p className="mt-2 text-sm text-ink-3">The PayPal Fee is only for online payments.</p>}
      </div>
    </section>
  );
}

function DetailRow({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="[overflow-wrap:anywhere] tabular-nums">{text}</dd>
    </div>
  );
}

/** Lists the payments and the balance. Renders nothing if there are no payments and no deposit is requested. */
export function InvoicePayments({ invoice }: { invoice: PublicInvoice }) {
  const { state, document, payments, request } = invoice;
  const { currency } = document;
  const isDeposit = isPaymentDue(invoice) && request.what === 'deposit';
  if (payments.length === 0 && !isDeposit) return null;
  const isOverpaid = state !== 'canceled' && request.overpaid !== '0.00';
  return (
    <section aria-labelledby="payments" className={classNames(CARD_CLASSES, 'mt-3 lg:mt-0 print:mt-3')}>
      <h2 id="payments" className="text-lg font-semibold">
        Payments
      </h2>
      <table className="mt-1 w-full text-base">
        <caption className="sr-only">Payments</caption>
        <tbody>
          <AmountRow label="Items and GST" amount={document.amount} className="text-ink-2" />
          {/* Public payments have no ids, but their order is fixed, so the index is a safe key. */}
          {Array.from(payments, ({ date, amount }, index) => (
            <AmountRow key={`payment-${index + 1}`} label={`Paid ${date}`} amount={`-${amount}`} className="text-ink-2" />
          ))}
        </tbody>
        {state !== 'canceled' && (
          <tbody className="border-t">
            {isDeposit && <AmountRow label="Outstanding" amount={formatAmount(request.outstanding)} className="pt-2 text-ink-2" />}
            {isOverpaid ? (
              <AmountRow label="Overpaid" amount={formatMoney(request.overpaid, currency)} className="pt-2 font-semibold" />
            ) : request.what === 'deposit_paid' ? (
              <AmountRow label="Remaining" amount={formatMoney(request.outstanding, currency)} className="pt-2 font-semibold" />
            ) : (
              <AmountRow
                label={isDeposit ? 'Deposit due' : 'Amount due'}
                amount={formatMoney(request.amount, currency)}
                className="pt-2 font-semibold"
              />
            )}
          </tbody>
        )}
      </table>
    </section>
  );
}
