import type { Job } from '@callout/contract/jobs';
import { formatRefundNotice } from '@callout/domain/invoices/refund-notice';
import { isActiveStatus } from '@callout/domain/jobs/job';
import { isPositiveAmount, isZeroAmount, subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { Link } from '@tanstack/react-router';
import type { TotalRow } from '../../lib/priced-lines.tsx';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SUMMARY_LINK_CLASSES } from '../../ui/summary-field.tsx';

/** Calculates the amount owed on the open invoice, or on the job if no invoice is open. Zero or negative if nothing is owed. */
const calculateOutstanding = (billed: string | null | undefined, total: string, paid: string) => subtractMoney(billed ?? total, paid);

/** Builds the rows below the items' total. Returns an empty list before the first payment or for roles that can't see payments. */
export function buildPaymentRows(job: Job, total: string): TotalRow[] {
  const { billed_amount: billed, paid_amount: paid } = job;
  if (paid === undefined || isZeroAmount(paid)) return [];
  const outstanding = calculateOutstanding(billed, total, paid);
  return [
    ...(billed && billed !== total ? [{ label: 'Invoiced', amount: billed }] : []),
    { label: 'Paid', amount: paid },
    ...(isPositiveAmount(outstanding) && job.status !== 'canceled' ? [{ label: 'Outstanding', amount: outstanding, isTotal: true }] : []),
  ];
}

/** Links to the job's payment page. Renders nothing for roles that can't see payments. */
export function JobPaymentLink({ job }: { job: Job }) {
  const { currency } = job;
  const text = formatPaymentStatus(job, currency);
  if (!text) return null;
  return (
    <Link to="/jobs/$id/payment" params={{ id: job.id }} state={{ fromPage: true }} className={SUMMARY_LINK_CLASSES}>
      {text}
    </Link>
  );
}

/** Warns that the job differs from its invoice, or about money to refund. Renders nothing for roles that can't see payments. */
export function JobPaymentBanner({ job }: { job: Job }) {
  const notice = getOutdatedInvoiceNotice(job) ?? getRefundNotice(job);
  if (notice === null) return null;
  return (
    <Banner
      tone="warn"
      className="mb-4"
      actions={
        <LinkButton to="/jobs/$id/payment" params={{ id: job.id }} state={{ fromPage: true }}>
          Open Payment
        </LinkButton>
      }
    >
      <p>{notice.text}</p>
      {notice.amounts && <p className="font-normal tabular-nums">{notice.amounts}</p>}
    </Banner>
  );
}

interface JobPaymentNotice {
  text: string;
  amounts?: string;
}

/** Applies whether or not the customer has the invoice yet. */
function getOutdatedInvoiceNotice({ billed_amount: billed, totals, status, currency }: Job): JobPaymentNotice | null {
  if (!billed || billed === totals.total_amount || status === 'canceled') return null;
  const [invoiced, now] = [billed, totals.total_amount].map((amount) => formatMoney(amount, currency));
  return { text: 'This job differs from its invoice', amounts: `Invoice: ${invoiced} · Job now: ${now}` };
}

/** Returns null for unfinished jobs, because their price can still grow. */
function getRefundNotice({ billed_amount: billed, paid_amount: paid, totals, status, currency, ...job }: Job): JobPaymentNotice | null {
  if (paid === undefined || isActiveStatus(status)) return null;
  const overpaid = subtractMoney(paid, billed ?? totals.total_amount);
  const isInvoiceCanceled = job.is_invoice_canceled === true;
  const text = formatRefundNotice({ status, paid, overpaid, hasOpenInvoice: Boolean(billed), isInvoiceCanceled }, currency);
  return text === null ? null : { text };
}

function formatPaymentStatus(job: Job, currency: string | null | undefined): string | null {
  const { paid_amount: paid, deposit_amount: deposit, billed_amount: billed, totals } = job;
  if (paid === undefined) return null;
  const money = (amount: string) => formatMoney(amount, currency);
  if (job.status === 'canceled') {
    const texts = [isZeroAmount(paid) ? [] : `Paid ${money(paid)}`, !billed ? [] : `Invoice for ${money(billed)} still open`].flat();
    return texts.join(' · ') || null;
  }
  if (isZeroAmount(paid)) return deposit && !billed && isActiveStatus(job.status) ? `Deposit of ${money(deposit)} requested` : null;
  const outstanding = calculateOutstanding(billed, totals.total_amount, paid);
  return isPositiveAmount(outstanding) ? `Paid ${money(paid)}, ${money(outstanding)} outstanding` : `Paid ${money(paid)}`;
}
