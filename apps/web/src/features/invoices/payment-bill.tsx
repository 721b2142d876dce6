import type { Billing } from '@callout/contract/invoices';
import { NO_CUSTOMER } from '@callout/domain/customers/customer';
import { isZero } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { Link } from '@tanstack/react-router';
import { FIGURE, LineColumns, ListTotals, TableTotals, type TotalRow } from '../../lib/priced-lines.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { FACT_LINK } from '../../ui/fact.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { isDepositPaid } from './payment-state.ts';
import { PaymentSteps } from './payment-steps.tsx';

/** The bill exactly as the customer sees it, with what was paid of it, and where the job is. */
export function PaymentBill({ billing }: { billing: Billing }) {
  const isDesk = useMediaQuery(DESK_UP);
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
        {isDesk ? <BillTable billing={billing} /> : <BillList billing={billing} />}
        <PaymentSteps billing={billing} />
      </Card>
    </section>
  );
}

function BillHeader({ billing }: { billing: Billing }) {
  const { job, document, invoice, request, paid_amount: paid } = billing;
  const { customer } = document;
  const { currency } = document;
  const headline = isZero(paid)
    ? { label: 'Total', amount: document.total }
    : isZero(request.outstanding)
      ? { label: 'Paid', amount: formatMoney(paid, currency) }
      : { label: restLabel(billing), amount: formatMoney(request.outstanding, currency) };
  const due = isDepositPaid(billing) ? 'Not due until the work is done' : document.due;
  const name = customer && [customer.company_name, customer.name].filter(Boolean).join(' · ');
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-4 lg:p-5">
      <div className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
        <h2 className="text-lg font-semibold">{document.title}</h2>
        <p className="text-base text-ink-2">
          {job.customer ? (
            <Link to="/customers/$id" params={{ id: job.customer.id }} className={FACT_LINK}>
              {name ?? job.customer.name}
            </Link>
          ) : (
            (name ?? NO_CUSTOMER)
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

const restLabel = (billing: Billing) => (isDepositPaid(billing) ? 'Remaining' : 'Still due');

/** Everything that a bank transfer leaves out stands above its own row. */
function totalRows(billing: Billing): TotalRow[] {
  const { document, request, paid_amount: paid } = billing;
  const { exact, fee, tax_label } = document;
  const hasFee = fee !== null;
  const isPartlyPaid = !isZero(paid) && !isZero(request.outstanding);
  return [
    { label: 'Subtotal', amount: exact.subtotal },
    { label: tax_label, amount: exact.tax },
    ...(hasFee ? [{ label: 'PayPal Fee', amount: exact.fee }] : []),
    { label: 'Total', amount: exact.total, isTotal: true },
    ...(hasFee ? [{ label: 'By bank transfer, no fee', amount: exact.amount }] : []),
    ...(isZero(paid) ? [] : [{ label: 'Paid', amount: paid }]),
    ...(isPartlyPaid ? [{ label: restLabel(billing), amount: request.outstanding, isTotal: true }] : []),
    ...(isPartlyPaid && request.what === 'balance' && !isZero(request.fee) ? [{ label: 'With PayPal Fee', amount: request.total }] : []),
  ];
}

const NO_ITEMS = 'No items found for this invoice.';

type Line = Billing['document']['items'][number];

/** A document has no ids: a line is where it stands. */
const keyed = (items: readonly Line[]) => items.map((item, index) => ({ key: `line-${index}`, item }));

/** A customer sees no SKU and no supplier, so there is room beside the name. */
function BillLineName({ line: { name, description, is_service: isService } }: { line: Line }) {
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
    </>
  );
}

function BillTable({ billing }: { billing: Billing }) {
  const { items, currency } = billing.document;
  return (
    <table aria-label="Items" className="w-full border-t text-base">
      <LineColumns />
      <tbody>
        {items.length === 0 && (
          <tr className="border-b">
            <td colSpan={5} className="px-5 py-6 text-center text-ink-2">
              {NO_ITEMS}
            </td>
          </tr>
        )}
        {keyed(items).map(({ key, item }) => (
          <tr key={key} className="border-b align-top *:py-2.5">
            <td className="pr-3 pl-5">
              <BillLineName line={item} />
            </td>
            <td className={FIGURE}>{item.quantity}</td>
            <td className={classes('pl-4', FIGURE)}>{item.unit_price}</td>
            <td className="pl-3 text-sm/5 whitespace-nowrap text-ink-3">{item.tax}</td>
            <td className={classes('pr-5', FIGURE)}>{item.total}</td>
          </tr>
        ))}
      </tbody>
      <TableTotals rows={totalRows(billing)} currency={currency} />
    </table>
  );
}

function BillList({ billing }: { billing: Billing }) {
  const { items, currency } = billing.document;
  return (
    <>
      {items.length === 0 && <p className="border-y px-4 py-4 text-base text-ink-2">{NO_ITEMS}</p>}
      <ul aria-label="Items" className={classes('divide-y', items.length > 0 && 'border-y')}>
        {keyed(items).map(({ key, item }) => (
          <li key={key} className="flex items-start justify-between gap-4 px-4 py-3 text-base">
            <div className="min-w-0">
              <BillLineName line={item} />
            </div>
            <p className={FIGURE}>
              {item.total}
              <span className="block text-sm text-ink-3">{`${item.quantity} × ${item.unit_price}`}</span>
              <span className="block text-sm text-ink-3">{item.tax}</span>
            </p>
          </li>
        ))}
      </ul>
      <ListTotals rows={totalRows(billing)} currency={currency} />
    </>
  );
}
