import type { PublicInvoice } from '@callout/contract/public-invoices';
import { formatMoney } from '@callout/domain/money/money-format';
import { CompanyLogo } from '../../../public-pages/document-page.tsx';
import { IssuerSection } from '../../../public-pages/document-parties.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { type PillTone, StatusPill } from '../../../ui/status-pill.tsx';
import { formatPayableAmount, hasOnlineFee, isPaymentDue, type PublicPaymentMethod } from './payment-methods.ts';

type InvoiceDocument = PublicInvoice['document'];

export const getCompanyName = ({ issuer }: InvoiceDocument) => issuer.company_name || 'Company';

export const CARD_CLASSES = 'rounded-card bg-surface px-[16px] py-4 shadow-card break-inside-avoid print:border print:shadow-none';

export function InvoiceHeader({ invoice: { document, logo_url } }: { invoice: PublicInvoice }) {
  return (
    <header>
      <CompanyLogo companyName={getCompanyName(document)} logoUrl={logo_url} />
      <h1 className="mt-4 [overflow-wrap:anywhere]">
        <span className="block text-lg text-ink-2 tabular-nums">Invoice #{document.job_number}</span>{' '}
        <span className="block text-xl font-semibold text-balance lg:text-2xl">{document.title}</span>
      </h1>
    </header>
  );
}

interface AmountCardProps {
  invoice: PublicInvoice;
  method: PublicPaymentMethod;
}

export function AmountCard({ invoice, method }: AmountCardProps) {
  const { state, document, request, credit_note } = invoice;
  const { currency } = document;
  const isDue = isPaymentDue(invoice);
  const label = getAmountLabel(invoice);
  const statusPill = getStatusPill(invoice);
  return (
    <section aria-label="Amount" className={classNames(CARD_CLASSES, 'mt-4 lg:mt-0 print:mt-4')}>
      {(statusPill || label) && (
        <p className="mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-base text-ink-2">
          {label}
          {statusPill && <StatusPill {...statusPill} />}
        </p>
      )}
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span
          aria-live="polite"
          className={classNames('text-[2rem] leading-10 font-semibold tabular-nums', state === 'canceled' && 'text-ink-3 line-through')}
        >
          {isDue ? formatPayableAmount(invoice, method) : formatMoney(document.exact.amount, currency)}
        </span>
        {currency !== null && <span className="text-base text-ink-2">{currency}</span>}
      </p>
      <p className="mt-0.5 flex flex-wrap items-baseline justify-between gap-x-3 text-base">
        <span className="font-medium">{formatPaymentStatus(invoice)}</span>
        {isDue && hasOnlineFee(invoice, method) && (
          <span className="text-ink-2 tabular-nums">includes PayPal Fee {formatMoney(request.fee, currency)}</span>
        )}
      </p>
      {credit_note !== null && <p className="mt-0.5 text-base text-ink-2">Credit note {credit_note}</p>}
    </section>
  );
}

/** Returns null for an issued invoice without payments, which needs no label. */
function getAmountLabel({ state, request, payments }: PublicInvoice): string | null {
  if (state === 'paid' || state === 'canceled' || request.what === 'deposit_paid') return 'Total';
  if (request.what === 'deposit') return 'Deposit due';
  if (payments.length > 0) return 'Amount due';
  return state === 'draft' ? 'Total' : null;
}

function getStatusPill({ state, request }: PublicInvoice): { tone: PillTone; text: string } | null {
  if (state === 'paid') return { tone: 'ok', text: 'Paid' };
  if (state === 'canceled') return { tone: 'danger', text: 'Canceled' };
  if (request.what === 'deposit_paid') return { tone: 'ok', text: 'Deposit paid' };
  return state === 'draft' && request.what !== 'deposit' ? { tone: 'neutral', text: 'Draft' } : null;
}

function formatPaymentStatus(invoice: PublicInvoice): string {
  const { state, document, payments, request } = invoice;
  if (state === 'canceled') return 'There is nothing to pay.';
  if (state === 'paid') return payments.length === 0 ? 'Paid in full' : `Paid in full on ${payments.at(-1)?.date}`;
  if (request.what === 'deposit_paid') return "Thank you. You'll be invoiced for the rest when the work is done.";
  return isPaymentDue(invoice) ? document.due : 'There is nothing to pay.';
}

export function InvoiceParties({ document }: { document: InvoiceDocument }) {
  const { customer, issuer } = document;
  return (
    <div className={classNames(CARD_CLASSES, 'flex flex-wrap gap-x-3 gap-y-5')}>
      <section aria-labelledby="bill-to" className="min-w-0 flex-1 basis-24 max-[400px]:basis-full">
        <h2 id="bill-to" className="text-sm font-medium text-ink-3">
          Bill To
        </h2>
        <p className="mt-1 text-lg font-medium [overflow-wrap:anywhere]">{customer?.company_name || customer?.name || 'Customer'}</p>
        {customer?.company_name && <p className="text-base [overflow-wrap:anywhere] text-ink-2">{customer.name}</p>}
        {customer?.address && <p className="text-base [overflow-wrap:anywhere] whitespace-pre-line text-ink-2">{customer.address}</p>}
      </section>
      <div className="min-w-0 flex-1 basis-48">
        <IssuerSection title="Bill From" issuer={{ ...issuer, company_name: getCompanyName(document) }} />
      </div>
    </div>
  );
}
