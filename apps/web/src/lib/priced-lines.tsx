import { formatAmount, formatMoney } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { classNames } from '../ui/class-names.ts';
import { StatusPill } from '../ui/status-pill.tsx';

/** The displayed fields of a job, quote or invoice line. Amounts are decimal strings. */
export interface PricedLine {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly sku: string | null;
  readonly supplier_name: string | null;
  readonly is_service: boolean;
  readonly quantity: string;
  readonly unit_price: string;
  readonly tax_inclusive: boolean;
  readonly total_price: string;
}

export const LINE_HEADER_CLASSES = 'py-2 text-sm font-medium text-ink-3';
/** Right-aligns the figures of lines and totals, so that their digits line up. */
export const FIGURE_CLASSES = 'text-right tabular-nums whitespace-nowrap';

interface LineNameProps {
  line: Pick<PricedLine, 'name' | 'sku' | 'supplier_name' | 'is_service'> & Partial<Pick<PricedLine, 'description'>>;
}

/** Shows a line's name, with its description, SKU, supplier and Service tag below. */
export function LineName({ line: { name, description, sku, supplier_name: supplier, is_service: isService } }: LineNameProps) {
  const detail = [sku && `#${sku}`, supplier].filter(Boolean).join(' · ');
  return (
    <>
      <span className="block font-medium [overflow-wrap:anywhere]">{name}</span>
      {description && <span className="block text-sm whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">{description}</span>}
      {(detail || isService) && (
        <span className="flex flex-wrap items-center gap-x-2 text-sm text-ink-3 [overflow-wrap:anywhere]">
          {detail}
          {isService && (
            <span className="-my-0.5">
              <StatusPill text="Service" />
            </span>
          )}
        </span>
      )}
    </>
  );
}

/** Table header for `LineTableRow` rows. */
export function LineTableHead() {
  return (
    <thead>
      <tr className="border-b text-left">
        <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'pl-5')}>
          Item
        </th>
        <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'w-16 text-right xl:w-20')}>
          Quantity
        </th>
        <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'pl-4 text-right whitespace-nowrap')}>
          Unit price
        </th>
        <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'w-19 pl-3')}>
          GST
        </th>
        <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'w-24 pr-5 text-right xl:w-28')}>
          Total
        </th>
      </tr>
    </thead>
  );
}

/** Read-only line as a table row, for desktop screens. */
export function LineTableRow({ line }: { line: PricedLine }) {
  return (
    <tr className="border-b align-top *:py-2.5">
      <td className="pr-3 pl-5">
        <LineName line={line} />
      </td>
      <td className={FIGURE_CLASSES}>{line.quantity}</td>
      <td className={classNames('pl-4', FIGURE_CLASSES)}>{formatAmount(line.unit_price)}</td>
      <td className="pl-3 text-sm/5 whitespace-nowrap text-ink-3">{getTaxInclusionLabel(line.tax_inclusive)}</td>
      <td className={classNames('pr-5', FIGURE_CLASSES)}>{formatAmount(line.total_price)}</td>
    </tr>
  );
}

/** Read-only line as a list item, for phones. */
export function LineListItem({ line }: { line: PricedLine }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 px-4 py-3 text-base">
      <div className="min-w-0 flex-1 basis-32">
        <LineName line={line} />
      </div>
      <p className={classNames('ml-auto', FIGURE_CLASSES)}>
        {formatAmount(line.total_price)}
        <span className="block text-sm text-ink-3">{`${line.quantity} × ${formatAmount(line.unit_price)}`}</span>
        <span className="block text-sm text-ink-3">{getTaxInclusionLabel(line.tax_inclusive)}</span>
      </p>
    </li>
  );
}

/** A subtotal or total below the lines. */
export interface TotalRow {
  readonly label: string;
  readonly amount: string;
  readonly isTotal?: boolean;
}

interface TotalsProps {
  rows: readonly TotalRow[];
  currency: string | null | undefined;
}

const formatTotal = ({ amount, isTotal }: TotalRow, currency: string | null | undefined) =>
  isTotal ? formatMoney(amount, currency) : formatAmount(amount);

interface TableTotalsProps extends TotalsProps {
  /** Cell that spans the GST and Total columns and any columns after them. */
  amountCell?: { readonly colSpan: number; readonly className: string };
  labelClassName?: string | undefined;
}

/** Matches the columns of `LineTableHead`. */
const DEFAULT_AMOUNT_CELL = { colSpan: 2, className: 'pr-5' };

export function TableTotals({ rows, currency, amountCell = DEFAULT_AMOUNT_CELL, labelClassName }: TableTotalsProps) {
  return (
    <tfoot>
      {rows.map((row) => (
        <tr key={row.label} className={classNames('first:*:pt-3 last:*:pb-3', row.isTotal ? 'text-lg font-semibold' : 'text-ink-2')}>
          <th
            scope="row"
            colSpan={3}
            className={classNames('py-0.5 text-right', labelClassName, row.isTotal ? 'font-semibold' : 'font-normal')}
          >
            {row.label}
          </th>
          <td colSpan={amountCell.colSpan} className={classNames('py-0.5', amountCell.className, FIGURE_CLASSES)}>
            {formatTotal(row, currency)}
          </td>
        </tr>
      ))}
    </tfoot>
  );
}

export function ListTotals({ rows, currency, className }: TotalsProps & { className?: string }) {
  return (
    <dl className={classNames('space-y-1 px-4 py-3 text-base', className)}>
      {rows.map((row) => (
        <div
          key={row.label}
          className={classNames('flex flex-wrap justify-between gap-x-4', row.isTotal ? 'text-lg font-semibold' : 'text-ink-2')}
        >
          <dt>{row.label}</dt>
          <dd className={classNames('ml-auto', FIGURE_CLASSES)}>{formatTotal(row, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
