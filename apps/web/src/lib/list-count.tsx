import { formatCount } from '@callout/domain/text/count-text';

interface ListCountProps {
  /** Of how many, in words: 'customer', 'customers'. */
  one: string;
  many: string;
  all: number | undefined;
  /** How many the filter finds; left out without a filter. */
  found?: number | undefined;
}

/** '92 of 2,000 customers' beside a title. Its place is kept while it is read; on a phone it is only the numbers, so that the title never wraps. */
export function ListCount({ one, many, all, found }: ListCountProps) {
  if (all === undefined) return <span aria-hidden="true">&nbsp;</span>;
  return (
    <span className="tabular-nums">
      {found !== undefined && `${formatCount(found)} of `}
      {formatCount(all)}
      <span className="max-sm:sr-only">{` ${all === 1 ? one : many}`}</span>
    </span>
  );
}
