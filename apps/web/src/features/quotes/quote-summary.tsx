import { formatAmount, formatMoney } from '@callout/domain/money/money-format';
import { EyeOff } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import type { DepositPreview } from './quote-deposit.tsx';
import type { QuoteFigures } from './quote-figures.ts';

/** Removes trailing zeros, so that '15.00' becomes '15'. */
export const formatTaxRate = (rate: string) => (rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate);

interface QuoteSummaryProps {
  figures: QuoteFigures;
  currency: string | null | undefined;
  /** Tax rate in percent. */
  rate: string;
  /** The saved quote's tax rate, set only if saving changes it. */
  previousRate?: string | undefined;
  deposit: DepositPreview | null;
  canSeeProfit: boolean;
}

/** Shows the totals as the customer will see them and the estimated profit, which customers never see. */
export function QuoteSummary({ figures, currency, rate, previousRate, deposit, canSeeProfit }: QuoteSummaryProps) {
  return (
    <div className="space-y-4">
      <Card className="p-4">
        <h2 className="mb-1.5 text-lg font-semibold">Summary</h2>
        <SummaryRows figures={figures} currency={currency} rate={rate} deposit={deposit} />
        {previousRate !== undefined && (
          <p className="mt-2.5 text-sm font-medium text-warn-ink">
            {`Saving uses today's GST of ${formatTaxRate(rate)}% (was ${formatTaxRate(previousRate)}%).`}
          </p>
        )}
      </Card>
      {canSeeProfit && <ProfitCard profit={figures.profit} currency={currency} />}
    </div>
  );
}

function SummaryRows({ figures: { sections, totals, minimumTotal }, currency, rate, deposit }: Omit<QuoteSummaryProps, 'canSeeProfit'>) {
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
          <dt>GST {formatTaxRate(rate)}%</dt>
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
              {deposit.share && <span className="block text-sm text-ink-3">{deposit.share} of the accepted total</span>}
            </dt>
            <dd className="ml-auto tabular-nums">{formatAmount(deposit.amount)}</dd>
          </div>
        )}
      </dl>
      {minimumTotal !== null && (
        <p className="mt-2.5 text-sm text-ink-2">
          The customer must choose at least one option, so the total will be between{' '}
          <strong className="font-semibold text-ink">{formatMoney(minimumTotal, currency)}</strong> and{' '}
          <strong className="font-semibold text-ink">{formatMoney(totals.total_amount, currency)}</strong>.
        </p>
      )}
    </>
  );
}

function ProfitCard({
  profit: { total, materials, services },
  currency,
}: Pick<QuoteFigures, 'profit'> & Pick<QuoteSummaryProps, 'currency'>) {
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
