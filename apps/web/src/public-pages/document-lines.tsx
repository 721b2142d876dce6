import type { DocumentLine, DocumentTotals } from '@callout/domain/documents/document-parts';
import { DEPOSIT_LABEL } from '@callout/domain/quotes/quote-document';
import { memo } from 'react';
import { classNames } from '../ui/class-names.ts';

interface LineTableProps {
  caption: string;
  lines: readonly DocumentLine[];
  totals: DocumentTotals;
  /** False for a section that shows only its total. */
  hasTax?: boolean;
  /** Fee for paying online. Listed above the total, and part of the total. */
  fee?: string | null;
  /** Deposit for a quote without optional sections. With optional sections, the deposit is in the summary. */
  deposit?: string | null;
  emptyText?: string;
}

/** Builds a key that changes with any displayed value. Includes the tax, because a new tax rate may change nothing else. */
const toComparisonKey = ({ caption, lines, totals: { subtotal, tax_label, tax, total }, hasTax, fee, deposit }: LineTableProps) =>
  JSON.stringify([caption, lines, hasTax, subtotal, tax_label, tax, total, fee, deposit]);

/** Stacks the figures below the text if large text leaves no room beside them. */
const STACKED_CLASSES = '@max-[13rem]:block';
const STACKED_ROW_CLASSES = '@max-[13rem]:flex @max-[13rem]:flex-wrap @max-[13rem]:justify-between';

/** A document's lines and totals, with aligned figures. Only the total includes the currency. */
export const LineTable = memo(
  ({ caption, lines, totals, hasTax = true, fee = null, deposit = null, emptyText = 'No items included' }: LineTableProps) => (
    <div className="@container">
      <table className={classNames('w-full text-base', STACKED_CLASSES)}>
        <caption className="sr-only">{caption}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Amount</th>
            <th scope="col">GST</th>
          </tr>
        </thead>
        <tbody className={STACKED_CLASSES}>
          {lines.length === 0 && (
            <tr>
              <td colSpan={3} className="py-3 text-ink-3">
                {emptyText}
              </td>
            </tr>
          )}
          {/* Lines have no id, may be identical and never move, so the index is a stable key. */}
          {Array.from(lines, (line, index) => (
            <LineRow key={`line-${index + 1}`} line={line} />
          ))}
        </tbody>
        <tbody className={classNames('border-t', STACKED_CLASSES)}>
          {hasTax && <TotalRow label="Subtotal" amount={totals.subtotal} className="pt-2" />}
          {hasTax && <TotalRow label={totals.tax_label} amount={totals.tax} />}
          {fee !== null && <TotalRow label="PayPal Fee" amount={fee} />}
          <TotalRow
            label={hasTax ? 'Total' : 'Total inc GST'}
            amount={totals.total}
            className={classNames('font-semibold text-ink', !hasTax && 'pt-2')}
          />
          {deposit !== null && <TotalRow label={DEPOSIT_LABEL} amount={deposit} />}
        </tbody>
      </table>
    </div>
  ),
  // Selecting an optional section changes none of these figures, so the table isn't rendered again.
  (previous, next) => toComparisonKey(previous) === toComparisonKey(next),
);

function LineRow({ line: { name, description, is_service, quantity, unit_price, discount, total, tax } }: { line: DocumentLine }) {
  return (
    <tr className={classNames('break-inside-avoid border-t align-top first:border-t-0', STACKED_ROW_CLASSES)}>
      <td className="py-2.5 pr-[12px] [overflow-wrap:anywhere] @max-[13rem]:w-full @max-[13rem]:pb-0">
        <span className="font-medium">{name}</span>
        {is_service && <span className="ml-2 inline-flex rounded bg-violet-soft px-1.5 text-xs font-medium text-violet-ink">Service</span>}
        {description !== null && description !== '' && <span className="block text-sm whitespace-pre-line text-ink-2">{description}</span>}
        <span className="block text-sm text-ink-3 tabular-nums">
          {quantity} × {unit_price} each
        </span>
        {discount !== undefined && <span className="block text-sm text-ink-2 tabular-nums">{discount}</span>}
      </td>
      <td className="py-2.5 text-right @max-[13rem]:pt-0 whitespace-nowrap tabular-nums">{total}</td>
      <td className="w-16 py-2.5 pl-[8px] text-sm text-ink-3 @max-[13rem]:w-auto @max-[13rem]:pt-0">{tax}</td>
    </tr>
  );
}

function TotalRow({ label, amount, className = '' }: { label: string; amount: string; className?: string }) {
  return (
    <tr className={classNames('break-inside-avoid text-ink-2', STACKED_ROW_CLASSES)}>
      <th scope="row" className={classNames('py-0.5 pr-[12px] text-left [overflow-wrap:anywhere] font-normal', className)}>
        {label}
      </th>
      <td className={classNames('py-0.5 text-right tabular-nums', className)}>{amount}</td>
    </tr>
  );
}

/** Summary table row with a label and an amount. */
export function AmountRow({ label, amount, className }: { label: string; amount: string; className: string }) {
  return (
    <tr className="align-baseline">
      <th scope="row" className={classNames('py-1 pr-3 text-left', className.includes('font-') ? '' : 'font-normal', className)}>
        {label}
      </th>
      <td className={classNames('py-1 text-right whitespace-nowrap tabular-nums', className)}>{amount}</td>
    </tr>
  );
}
