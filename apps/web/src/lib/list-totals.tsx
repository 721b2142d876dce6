import { formatCount, MAX_SUMMED_ROWS } from '@callout/domain/text/count-format';

/** One of the totals above a list: a label and its amount, as an entry of a description list. */
export function LabeledAmount({ label, amount }: { label: string; amount: string }) {
  return (
    <div className="flex flex-wrap gap-x-1.5">
      <dt>{label}</dt>
      <dd className="font-semibold text-ink">{amount}</dd>
    </div>
  );
}

/** Replaces the totals of a list if too many rows match to add them up. */
export const CappedTotalsNote = ({ noun }: { noun: string }) => (
  <p className="text-sm text-ink-2">{`More than ${formatCount(MAX_SUMMED_ROWS)} ${noun} match. Narrow them down to see their totals.`}</p>
);
