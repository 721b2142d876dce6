import { formatCappedCount, isCapped } from '@callout/domain/text/count-format';

interface ListCountProps {
  singular: string;
  plural: string;
  total: number | undefined;
  /** Number of rows that match the filter. Undefined if no filter is set. */
  matching?: number | undefined;
}

interface CountQuery {
  data: { total: number } | undefined;
  isPlaceholderData: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
}

/** Returns undefined while offline if the count still belongs to the previous filter. */
export const getMatchingCount = ({ data, isPlaceholderData, fetchStatus }: CountQuery) =>
  isPlaceholderData && fetchStatus === 'paused' ? undefined : data?.total;

/** Returns undefined if the count stopped before the last row. */
export const getExactCount = (count: number | undefined) => (count === undefined || isCapped(count) ? undefined : count);

/** Shows '92 of 800 customers' next to a title, or '1,000+ customers' if more match. Phones show only numbers. Reserves space while loading. */
export function ListCount({ singular, plural, total, matching }: ListCountProps) {
  if (total === undefined) return <span aria-hidden="true">&nbsp;</span>;
  return (
    <span className="tabular-nums">
      {matching !== undefined && !isCapped(matching) && `${formatCappedCount(matching)} of `}
      {formatCappedCount(total)}
      <span className="max-sm:sr-only">{` ${total === 1 ? singular : plural}`}</span>
    </span>
  );
}
