import type { Job } from '@callout/contract/jobs';
import { isActive } from '@callout/domain/jobs/job';
import { isPositive, isZero, subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { Link } from '@tanstack/react-router';
import type { TotalRow } from '../../lib/priced-lines.tsx';
import { Banner } from '../../ui/banner.tsx';
import { FACT_LINK } from '../../ui/fact.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { useProfile } from '../company/company.api.ts';

/** What is still to be paid of the open invoice, or of the job while none was sent; '0.00' or less when nothing is. */
const outstandingOf = (billed: string | null | undefined, total: string, paid: string) => subtractMoney(billed ?? total, paid);

/** Below the total of the items, once something was paid and for who is told. */
export function paymentRows(job: Job, total: string): TotalRow[] {
  const { billed_amount: billed, paid_amount: paid } = job;
  if (paid === undefined || isZero(paid)) return [];
  const outstanding = outstandingOf(billed, total, paid);
  return [
    ...(billed && billed !== total ? [{ label: 'Invoiced', amount: billed }] : []),
    { label: 'Paid', amount: paid },
    ...(isPositive(outstanding) && job.status !== 'canceled' ? [{ label: 'Outstanding', amount: outstanding, isTotal: true }] : []),
  ];
}

/** What was asked for or paid, with a link to it; nothing for who is not told. */
export function JobPayment({ job }: { job: Job }) {
  const currency = useProfile()?.currency;
  const text = paymentText(job, currency);
  if (!text) return null;
  return (
    <Link to="/jobs/$id/payment" params={{ id: job.id }} state={{ fromPage: true }} className={FACT_LINK}>
      {text}
    </Link>
  );
}

/** The job was changed after its invoice was sent; nothing for who is not told of invoices. */
export function InvoiceDiffers({ job }: { job: Job }) {
  const currency = useProfile()?.currency;
  const { billed_amount: billed, totals } = job;
  if (!billed || billed === totals.total_amount || job.status === 'canceled') return null;
  const [sent, now] = [billed, totals.total_amount].map((amount) => formatMoney(amount, currency));
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
      <p>Differs from the invoice that was sent</p>
      <p className="font-normal tabular-nums">{`Sent: ${sent} · The job now: ${now}`}</p>
    </Banner>
  );
}

function paymentText(job: Job, currency: string | null | undefined): string | null {
  const { paid_amount: paid, deposit_amount: deposit, billed_amount: billed, totals } = job;
  if (paid === undefined) return null;
  const money = (amount: string) => formatMoney(amount, currency);
  if (job.status === 'canceled') {
    const texts = [isZero(paid) ? [] : `Paid ${money(paid)}`, !billed ? [] : `Invoice of ${money(billed)} still open`].flat();
    return texts.join(' · ') || null;
  }
  if (isZero(paid)) return deposit && !billed && isActive(job.status) ? `Deposit of ${money(deposit)} requested` : null;
  const outstanding = outstandingOf(billed, totals.total_amount, paid);
  return isPositive(outstanding) ? `Paid ${money(paid)}, ${money(outstanding)} outstanding` : `Paid ${money(paid)}`;
}
