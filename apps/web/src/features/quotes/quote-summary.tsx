import { formatAmount, formatMoney } from '@callout/domain/money/money-text';
import { EyeOff } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { useProfile } from '../company/company.api.ts';
import type { ShownDeposit } from './quote-deposit.tsx';
import type { QuoteFigures } from './quote-figures.ts';

/** '15' for '15.00'. */
export const rateText = (rate: string) => (rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate);

interface QuoteSummaryProps {
  figures: QuoteFigures;
  /** In percent. */
  rate: string;
  /** Of the stored quote, if saving changes it. */
  oldRate?: string | undefined;
  deposit: ShownDeposit | null;
  seesProfit: boolean;
}

/** What the quote comes to, as the customer will see it, and what remains of it, which they never see. */
export function QuoteSummary({ figures, rate, oldRate, deposit, seesProfit }: QuoteSummaryProps) {
  return (
    <div className="space-y-4">
      <Card className="p-4">
        <h2 className="mb-1.5 text-lg font-semibold">Summary</h2>
        <SummaryRows figures={figures} rate={rate} deposit={deposit} />
        {oldRate !== undefined && (
          <p className="mt-2.5 text-sm font-medium text-warn-ink">
            {`Saving uses today's GST of ${rateText(rate)}% (was ${rateText(oldRate)}%).`}
          </p>
        )}
      </Card>
      {seesProfit && <ProfitCard profit={figures.profit} />}
    </div>
  );
}

function SummaryRows({ figures: { sections, totals, minimumTotal }, rate, deposit }: Omit<QuoteSummaryProps, 'seesProfit'>) {
  const currency = useProfile()?.currency;
  return (
    <>
      <dl>
        {sections.map(({ id, name, total, always_required: isRequired }) => (
          <div key={id} className="flex flex-wrap justify-between gap-x-3 py-0.5 text-base">
            <dt className="min-w-0 [overflow-wrap:anywhere]">
              {name} {isRequired && <span className="text-ink-3">required</span>}
            </dt>
            <dd className="ml-auto tabular-nums">{formatAmount(total)}</dd>
          </div>
        ))}
        {totals.rounding !== '0.00' && (
          <div className="flex flex-wrap justify-between gap-x-3 py-0.5 text-base text-ink-2">
            <dt>
              Rounding
              <span className="block text-sm text-ink-3">Sections are rounded to the cent; the total is rounded once.</span>
            </dt>
            <dd className="ml-auto tabular-nums">{formatAmount(totals.rounding)}</dd>
          </div>
        )}
        <div className="mt-2.5 flex flex-wrap justify-between gap-x-3 border-t pt-2.5 pb-0.5 text-base text-ink-2">
          <dt>Subtotal</dt>
          <dd className="ml-auto tabular-nums">{formatAmount(totals.subtotal)}</dd>
        </div>
        <div className="flex flex-wrap justify-between gap-x-3 py-0.5 text-base text-ink-2">
          <dt>GST {rateText(rate)}%</dt>
          <dd className="ml-auto tabular-nums">{formatAmount(totals.tax_amount)}</dd>
        </div>
        <div className="flex items-baseline flex-wrap justify-between gap-x-3 pt-1 text-xl font-semibold">
          <dt>Total</dt>
          <dd className="ml-auto tabular-nums">{formatMoney(totals.total_amount, currency)}</dd>
        </div>
        {deposit && (
          <div className="flex flex-wrap justify-between gap-x-3 pt-1 text-base text-ink-2">
            <dt>
              Deposit on acceptance
              {deposit.share && <span className="block text-sm text-ink-3">{deposit.share} of what is accepted</span>}
            </dt>
            <dd className="ml-auto tabular-nums">{formatAmount(deposit.amount)}</dd>
          </div>
        )}
      </dl>
      {minimumTotal !== null && (
        <p className="mt-2.5 text-sm text-ink-2">
          At least one option must be chosen, so the customer accepts between{' '}
          <strong className="font-semibold text-ink">{formatMoney(minimumTotal, currency)}</strong> and{' '}
          <strong className="font-semibold text-ink">{formatMoney(totals.total_amount, currency)}</strong>.
        </p>
      )}
    </>
  );
}

function ProfitCard({ profit: { total, materials, services } }: Pick<QuoteFigures, 'profit'>) {
  const currency = useProfile()?.currency;
  return (
    <Card className="p-4">
      <div className="flex items-baseline flex-wrap justify-between gap-x-3 text-lg font-semibold">
        <h2>Estimated profit</h2>
        <p className="ml-auto tabular-nums">{formatMoney(total, currency)}</p>
      </div>
      <dl className="mt-1 text-sm text-ink-2">
        <div className="flex flex-wrap justify-between gap-x-3 py-0.5">
          <dt>Materials</dt>
          <dd className="ml-auto tabular-nums">{formatAmount(materials)}</dd>
        </div>
        <div className="flex flex-wrap justify-between gap-x-3 py-0.5">
          <dt>Services</dt>
          <dd className="ml-auto tabular-nums">{formatAmount(services)}</dd>
        </div>
      </dl>
      <p className="mt-2 flex items-center gap-2 text-sm text-ink-3">
        <EyeOff aria-hidden="true" className="size-4 shrink-0" />
        Never shown to the customer
      </p>
    </Card>
  );
}
