import type { Job } from '@callout/contract/jobs';
import { subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { Link } from '@tanstack/react-router';
import type { TotalRow } from '../../lib/priced-lines.tsx';
import { FACT_LINK } from '../../ui/fact.tsx';
import { useCan, useProfile } from '../company/company.api.ts';

const isZero = (amount: string) => Number(amount) === 0;

/** What is still to be paid of the open invoice, or of the job while none was sent; '0.00' or less when nothing is. */
const outstandingOf = ({ billed_amount: billed, paid_amount: paid }: Job, total: string) => subtractMoney(billed ?? total, paid);

/** Below the total of the items, once something was paid. */
export function paymentRows(job: Job, total: string): TotalRow[] {
  const { billed_amount: billed, paid_amount: paid } = job;
  if (isZero(paid)) return [];
  const outstanding = outstandingOf(job, total);
  return [
    ...(billed !== null && billed !== total ? [{ label: 'Invoiced', amount: billed }] : []),
    { label: 'Paid', amount: paid },
    ...(Number(outstanding) > 0 && job.status !== 'canceled' ? [{ label: 'Outstanding', amount: outstanding, isTotal: true }] : []),
  ];
}

/** What was asked for or paid, for who may see more a link to it. */
export function JobPayment({ job }: { job: Job }) {
  const currency = useProfile()?.currency;
  const mayPay = useCan('payments.manage');
  const text = paymentText(job, currency);
  if (!text) return null;
  if (!mayPay) return <span className="tabular-nums">{text}</span>;
  return (
    <Link to="/jobs/$id/payment" params={{ id: job.id }} state={{ fromPage: true }} className={FACT_LINK}>
      {text}
    </Link>
  );
}

function paymentText(job: Job, currency: string | null | undefined): string | null {
  const { paid_amount: paid, deposit_amount: deposit, billed_amount: billed, totals } = job;
  const money = (amount: string) => formatMoney(amount, currency);
  if (job.status === 'canceled') {
    const texts = [isZero(paid) ? [] : `Paid ${money(paid)}`, billed === null ? [] : `Invoice of ${money(billed)} still open`].flat();
    return texts.join(' · ') || null;
  }
  if (isZero(paid)) return deposit !== null && billed === null ? `Deposit of ${money(deposit)} requested` : null;
  const outstanding = outstandingOf(job, totals.total_amount);
  return Number(outstanding) > 0 ? `Paid ${money(paid)}, ${money(outstanding)} outstanding` : `Paid ${money(paid)}`;
}
