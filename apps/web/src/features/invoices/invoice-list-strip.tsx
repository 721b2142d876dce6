import type { InvoiceSummary } from '@callout/contract/invoices';
import { DEBT_AGE_WORDS, DEBT_AGES, type DebtAge } from '@callout/domain/invoices/invoice-list';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCount } from '@callout/domain/text/count-text';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useProfile } from '../company/company.api.ts';

/** Beside its words, never instead of them. */
const COLORS: Readonly<Record<DebtAge, string>> = {
  current: 'bg-accent',
  days_30: 'bg-attention',
  days_60: 'bg-warn',
  days_90: 'bg-danger',
  older: 'bg-danger-ink',
};

/** As the strip is, in its layouts; one column where the text is large. */
const GRID = 'grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-px overflow-clip bg-line sm:grid-cols-3 xl:grid-cols-6';

interface StripProps {
  summary: InvoiceSummary;
  age: DebtAge | undefined;
  /** All that is unpaid is chosen. */
  isUnpaid: boolean;
  onAge: (age: DebtAge | undefined) => void;
  onUnpaid: () => void;
}

/** What is outstanding, drawn to scale by age. Each part is also a filter; pressed again, it no longer filters. */
export function OutstandingStrip({ summary: { outstanding, ages }, age, isUnpaid, onAge, onUnpaid }: StripProps) {
  const currency = useProfile()?.currency;
  const sumOf = (key: DebtAge) => ages.find((sum) => sum.age === key) ?? { count: 0, amount: '0.00' };
  return (
    <Card role="group" aria-label="Outstanding by age" className="mb-4 overflow-clip">
      <div aria-hidden="true" className="flex h-2 gap-0.5 bg-sunken">
        {DEBT_AGES.map(({ key }) => ({ key, share: Number(sumOf(key).amount) })).map(
          ({ key, share }) => share > 0 && <span key={key} style={{ flexGrow: share }} className={classes('min-w-1', COLORS[key])} />,
        )}
      </div>
      <div className={GRID}>
        <Part
          label="Outstanding"
          amount={formatMoney(outstanding.amount, currency)}
          count={outstanding.count}
          isLarge
          isPressed={isUnpaid}
          onPress={onUnpaid}
        />
        {DEBT_AGES.map(({ key }) => (
          <Part
            key={key}
            label={
              <>
                <span aria-hidden="true" className={classes('size-2.5 shrink-0 rounded-sm', COLORS[key])} />
                {DEBT_AGE_WORDS[key]}
              </>
            }
            amount={formatMoney(sumOf(key).amount, currency)}
            count={sumOf(key).count}
            isPressed={age === key}
            onPress={() => onAge(age === key ? undefined : key)}
          />
        ))}
      </div>
    </Card>
  );
}

interface PartProps {
  label: ReactNode;
  amount: string;
  count: number;
  isLarge?: boolean;
  isPressed: boolean;
  onPress: () => void;
}

function Part({ label, amount, count, isLarge = false, isPressed, onPress }: PartProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      // One that is chosen stays, so that it can be left again.
      disabled={count === 0 && !isPressed}
      onClick={onPress}
      className="min-w-0 bg-surface px-4 py-2 text-left -outline-offset-2 tabular-nums enabled:hover:bg-sunken aria-pressed:bg-accent-soft xl:px-4 xl:py-3"
    >
      <span className="flex items-center gap-2 text-sm text-ink-2">{label}</span>
      <span className="flex flex-wrap items-baseline justify-between gap-x-2 xl:block">
        <span className={classes('block font-semibold', isLarge ? 'text-xl' : 'text-lg', count === 0 && 'font-normal text-ink-3')}>
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

export function StripSkeleton() {
  return (
    <div className="mb-4 overflow-clip rounded-card shadow-card">
      <div className="h-2 bg-sunken" />
      <div className={GRID}>
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
