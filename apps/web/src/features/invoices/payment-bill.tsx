import type { Billing } from '@callout/contract/invoices';
import { NO_CUSTOMER_LABEL } from '@callout/domain/customers/customer';
import { isZeroAmount } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { Link } from '@tanstack/react-router';
import { FIGURE_CLASSES, LineTableHead, ListTotals, TableTotals, type TotalRow } from '../../lib/priced-lines.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { StatusPill } from '../../ui/status-pill.tsx';
import { SUMMARY_LINK_CLASSES } from '../../ui/summary-field.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { isCredited, isDepositPaid } from './payment-state.ts';
import { PaymentSteps } from './payment-steps.tsx';

export function PaymentBill({ billing }: { billing: Billing }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const { document } = billing;
  return (
    <section aria-label="Invoice">
      <Card className="print:shadow-none">
        <BillHeader billing={billing} />
        {document.description && (
          <p className="border-t px-4 py-3 text-base whitespace-pre-line text-ink-2 [overflow-wrap:anywhere] lg:px-5">
            {document.description}
          </p>
        )}
        {isDesktop ? <BillTable billing={billing} /> : <BillList billing={billing} />}
        <PaymentSteps billing={billing} />
      </Card>
    </section>
  );
}

function BillHeader({ billing }: { billing: Billing }) {
  const { job, document, invoice, request, paid_amount: paid } = billing;
  const { customer, currency } = document;
  const headline = isZeroAmount(paid)
    ? { label: 'Total', amount: document.total }
    : isZeroAmount(request.outstanding)
      ? { label: 'Paid', amount: formatMoney(paid, currency) }
      : { label: getRemainingLabel(billing), amount: formatMoney(request.outstanding, currency) };
  const due = isCredited(billing) ? 'Not invoiced' : isDepositPaid(billing) ? 'Not due until the work is done' : document.due;
  const name = customer && [customer.company_name, customer.name].filter(Boolean).join(' · ');
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-4 lg:p-5">
      <div className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        <h2 className="text-lg font-semibold">{document.title}</h2>
        <p className="text-base text-ink-2">
          {job.customer ? (
            <Link to="/customers/$id" params={{ id: job.customer.id }} className={SUMMARY_LINK_CLASSES}>
              {name ?? job.customer.name}
            </Link>
          ) : (
            (name ?? NO_CUSTOMER_LABEL)
          )}
        </p>
        {job.customer?.email && <p className="text-base text-ink-2">{job.customer.email}</p>}
        {invoice && <p className="mt-1 text-sm text-ink-3 tabular-nums">{`${invoice.invoice_number} · ${document.issued ?? ''}`}</p>}
      </div>
      <dl className="tabular-nums sm:text-right">
        <dt className="text-sm text-ink-2">{headline.label}</dt>
        <dd className="text-[1.75rem]/9 font-semibold tracking-tight">{headline.amount}</dd>
        {headline.label !== 'Paid' && job.status !== 'canceled' && <dd className="text-sm text-ink-2">{due}</dd>}
      </dl>
    </div>
  );
}

const getRemainingLabel = (billing: Billing) => (isDepositPaid(billing) || isCredited(billing) ? 'Remaining' : 'Still due');

/** Builds the rows below the bill. The total includes the PayPal fee; the next row shows the lower amount for a bank transfer. */
function buildTotalRows(billing: Billing): TotalRow[] {
  const { document, request, paid_amount: paid } = billing;
  const { exact, fee, tax_label } = document;
  const hasFee = fee !== null;
  const isPartlyPaid = !isZeroAmount(paid) && !isZeroAmount(request.outstanding);
  return [
    { label: 'Subtotal', amount: exact.subtotal },
    { label: tax_label, amount: exact.tax },
    ...(hasFee ? [{ label: 'PayPal Fee', amount: exact.fee }] : []),
    { label: 'Total', amount: exact.total, isTotal: true },
    ...(hasFee ? [{ label: 'By bank transfer, no fee', amount: exact.amount }] : []),
    ...(isZeroAmount(paid) ? [] : [{ label: 'Paid', amount: paid }]),
    ...(isPartlyPaid ? [{ label: getRemainingLabel(billing), amount: request.outstanding, isTotal: true }] : []),
    ...(isPartlyPaid && request.what === 'balance' && !isCredited(billing) && !isZeroAmount(request.fee)
      ? [{ label: 'With PayPal Fee', amount: request.total }]
      : []),
  ];
}

const NO_ITEMS_MESSAGE = 'No items found for this invoice.';

type BillLine = Billing['document']['items'][number];

/** Uses each line's index as its React key, because document lines have no ids. */
const withIndexKeys = (items: readonly BillLine[]) => items.map((item, index) => ({ key: `line-${index}`, item }));

/** Omits the SKU and the supplier, which customers never see. This leaves room for the Service pill beside the name. */
function BillLineName({ line: { name, description, discount, is_service: isService } }: { line: BillLine }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
        {isService && (
          <span className="-my-0.5">
            <StatusPill text="Service" />
          </span>
        )}
      </span>
      {description && <span className="block text-sm whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">{description}</span>}
      {discount !== undefined && <span className="block text-sm text-ink-2 tabular-nums">{discount}</span>}
    </>
  );
}

function BillTable({ billing }: { billing: Billing }) {
  const { items, currency } = billing.document;
  return (
    <table aria-label="Items" className="w-full border-t text-base">
      <LineTableHead />
      <tbody>
        {items.length === 0 && (
          <tr className="border-b">
            <td colSpan={5} className="px-5 py-6 text-center text-ink-2">
              {NO_ITEMS_MESSAGE}
            </td>
          </tr>
        )}
        {withIndexKeys(items).map(({ key, item }) => (
          <tr key={key} className="border-b align-top *:py-2.5">
            <td className="pr-3 pl-5">
              <BillLineName line={item} />
            </td>
            <td className={FIGURE_CLASSES}>{item.quantity}</td>
            <td className={classNames('pl-4', FIGURE_CLASSES)}>{item.unit_price}</td>
            <td className="pl-3 text-sm/5 whitespace-nowrap text-ink-3">{item.tax}</td>
            <td className={classNames('pr-5', FIGURE_CLASSES)}>{item.total}</td>
          </tr>
        ))}
      </tbody>
      <TableTotals rows={buildTotalRows(billing)} currency={currency} />
    </table>
  );
}

function BillList({ billing }: { billing: Billing }) {
  const { items, currency } = billing.document;
  return (
    <>
      {items.length === 0 && <p className="border-y px-4 py-4 text-base text-ink-2">{NO_ITEMS_MESSAGE}</p>}
      <ul aria-label="Items" className={classNames('divide-y', items.length > 0 && 'border-y')}>
        {withIndexKeys(items).map(({ key, item }) => (
          <li key={key} className="flex items-start justify-between gap-4 px-4 py-3 text-base">
            <div className="min-w-0">
              <BillLineName line={item} />
            </div>
            <p className={FIGURE_CLASSES}>
              {item.total}
              <span className="block text-sm text-ink-3">{`${item.quantity} × ${item.unit_price}`}</span>
              <span className="block text-sm text-ink-3">{item.tax}</span>
            </p>
          </li>
        ))}
      </ul>
      <ListTotals rows={buildTotalRows(billing)} currency={currency} />
    </>
  );
}
