import type { InvoiceSummary } from '@callout/contract/invoices';
import { DEBT_AGE_LABELS, DEBT_AGES, type DebtAge } from '@callout/domain/invoices/invoice-list';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCount } from '@callout/domain/text/count-format';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useProfile } from '../company/company.api.ts';

/** Colors always appear next to a label, so that color is never the only cue. */
const AGE_COLORS: Readonly<Record<DebtAge, string>> = {
  current: 'bg-accent',
  days_30: 'bg-attention',
  days_60: 'bg-warn',
  days_90: 'bg-danger',
  older: 'bg-danger-ink',
};

const GRID_CLASSES =
  'grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-px overflow-clip bg-line sm:grid-cols-3 xl:grid-cols-6';

interface OutstandingStripProps {
  summary: InvoiceSummary;
  age: DebtAge | undefined;
  isUnpaidSelected: boolean;
  onAgeChange: (age: DebtAge | undefined) => void;
  onUnpaidToggle: () => void;
}

/** Draws the outstanding amounts as a bar with one segment per age, to scale. Clicking a segment toggles the filter for its age. */
export function OutstandingStrip({ summary, age, isUnpaidSelected, onAgeChange, onUnpaidToggle }: OutstandingStripProps) {
  const { outstanding, ages } = summary;
  const currency = useProfile()?.currency;
  const getAgeTotal = (key: DebtAge) => ages.find((total) => total.age === key) ?? { count: 0, amount: '0.00' };
  return (
    <Card role="group" aria-label="Outstanding by age" className="mb-4 overflow-clip">
      <div aria-hidden="true" className="flex h-2 gap-0.5 bg-sunken">
        {DEBT_AGES.map(({ key }) => ({ key, share: Number(getAgeTotal(key).amount) })).map(
          ({ key, share }) =>
            share > 0 && <span key={key} style={{ flexGrow: share }} className={classNames('min-w-1', AGE_COLORS[key])} />,
        )}
      </div>
      <div className={GRID_CLASSES}>
        <StripSegment
          label="Outstanding"
          amount={formatMoney(outstanding.amount, currency)}
          count={outstanding.count}
          isLarge
          isPressed={isUnpaidSelected}
          onPress={onUnpaidToggle}
        />
        {DEBT_AGES.map(({ key }) => (
          <StripSegment
            key={key}
            label={
              <>
                <span aria-hidden="true" className={classNames('size-2.5 shrink-0 rounded-sm', AGE_COLORS[key])} />
                {DEBT_AGE_LABELS[key]}
              </>
            }
            amount={formatMoney(getAgeTotal(key).amount, currency)}
            count={getAgeTotal(key).count}
            isPressed={age === key}
            onPress={() => onAgeChange(age === key ? undefined : key)}
          />
        ))}
      </div>
    </Card>
  );
}

interface StripSegmentProps {
  label: ReactNode;
  amount: string;
  count: number;
  isLarge?: boolean;
  isPressed: boolean;
  onPress: () => void;
}

function StripSegment({ label, amount, count, isLarge = false, isPressed, onPress }: StripSegmentProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      // An empty segment stays enabled while selected, so that it can be deselected.
      disabled={count === 0 && !isPressed}
      onClick={onPress}
      className="min-w-0 bg-surface px-4 py-2 text-left -outline-offset-2 tabular-nums enabled:hover:bg-sunken aria-pressed:bg-accent-soft xl:px-4 xl:py-3"
    >
      <span className="flex items-center gap-2 text-sm text-ink-2">{label}</span>
      <span className="flex flex-wrap items-baseline justify-between gap-x-2 xl:block">
        <span className={classNames('block font-semibold', isLarge ? 'text-xl' : 'text-lg', count === 0 && 'font-normal text-ink-3')}>
          {amount}
        </span>
        <span className="block text-sm text-ink-3">
          {formatCount(count)}
          <span className="max-sm:sr-only"> {count === 1 ? 'invoice' : 'invoices'}</span>
        </span>
      </span>
    </button>
  );
}

export function OutstandingStripSkeleton() {
  return (
    <div className="mb-4 overflow-clip rounded-card shadow-card">
      <div className="h-2 bg-sunken" />
      <div className={GRID_CLASSES}>
        {['outstanding', ...DEBT_AGES.map(({ key }) => key)].map((part) => (
          <div key={part} className="h-16 bg-surface px-4 py-2 xl:h-22 xl:py-3">
            <Skeleton className="mt-1 h-4 w-20" />
            <Skeleton className="mt-2 h-5 w-24" />
          </div>
        ))}
      </div>
    </div>
  );
}
