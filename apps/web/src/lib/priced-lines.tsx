import { formatAmount, formatMoney } from '@callout/domain/money/money-text';
import { taxLabel } from '@callout/domain/tax/tax';
import { classes } from '../ui/classes.ts';
import { StatusPill } from '../ui/status-pill.tsx';

/** What a line shows, whatever kind of record it belongs to. Amounts are decimals as text. */
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

export const LINE_HEAD = 'py-2 text-sm font-medium text-ink-3';
/** Figures stand right-aligned on one edge from the first line to the total; only totals carry the symbol. */
export const FIGURE = 'text-right tabular-nums whitespace-nowrap';

interface LineNameProps {
  line: Pick<PricedLine, 'name' | 'sku' | 'supplier_name' | 'is_service'> & Partial<Pick<PricedLine, 'description'>>;
}

/** The name of a line, with its description, SKU, supplier and Service tag below it. */
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

/** The columns of `LineRow`. */
export function LineColumns() {
  return (
    <thead>
      <tr className="border-b text-left">
        <th scope="col" className={classes(LINE_HEAD, 'pl-5')}>
          Item
        </th>
        <th scope="col" className={classes(LINE_HEAD, 'w-16 text-right xl:w-20')}>
          Quantity
        </th>
        <th scope="col" className={classes(LINE_HEAD, 'pl-4 text-right whitespace-nowrap')}>
          Unit price
        </th>
        <th scope="col" className={classes(LINE_HEAD, 'w-19 pl-3')}>
          GST
        </th>
        <th scope="col" className={classes(LINE_HEAD, 'w-24 pr-5 text-right xl:w-28')}>
          Total
        </th>
      </tr>
    </thead>
  );
}

/** A line that is only read, in a table on a desk. */
export function LineRow({ line }: { line: PricedLine }) {
  return (
    <tr className="border-b align-top *:py-2.5">
      <td className="pr-3 pl-5">
        <LineName line={line} />
      </td>
      <td className={FIGURE}>{line.quantity}</td>
      <td className={classes('pl-4', FIGURE)}>{formatAmount(line.unit_price)}</td>
      <td className="pl-3 text-sm/5 whitespace-nowrap text-ink-3">{taxLabel(line.tax_inclusive)}</td>
      <td className={classes('pr-5', FIGURE)}>{formatAmount(line.total_price)}</td>
    </tr>
  );
}

/** The same in a list on a phone. */
export function LineCard({ line }: { line: PricedLine }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 px-4 py-3 text-base">
      <div className="min-w-0 flex-1 basis-32">
        <LineName line={line} />
      </div>
      <p className={classes('ml-auto', FIGURE)}>
        {formatAmount(line.total_price)}
        <span className="block text-sm text-ink-3">{`${line.quantity} × ${formatAmount(line.unit_price)}`}</span>
        <span className="block text-sm text-ink-3">{taxLabel(line.tax_inclusive)}</span>
      </p>
    </li>
  );
}

/** A row below the lines. */
export interface TotalRow {
  readonly label: string;
  readonly amount: string;
  readonly isTotal?: boolean;
}

interface TotalsProps {
  rows: readonly TotalRow[];
  currency: string | null | undefined;
}

const amountText = ({ amount, isTotal }: TotalRow, currency: string | null | undefined) =>
  isTotal ? formatMoney(amount, currency) : formatAmount(amount);

interface TableTotalsProps extends TotalsProps {
  /** The cells under the GST and Total columns, and those after them. */
  amountCell?: { readonly colSpan: number; readonly className: string };
  labelClassName?: string | undefined;
}

/** Of a table with the columns of `LineColumns`. */
const AMOUNT_CELL = { colSpan: 2, className: 'pr-5' };

/** What the lines of a table come to. */
export function TableTotals({ rows, currency, amountCell = AMOUNT_CELL, labelClassName }: TableTotalsProps) {
  return (
    <tfoot>
      {rows.map((row) => (
        <tr key={row.label} className={classes('first:*:pt-3 last:*:pb-3', row.isTotal ? 'text-lg font-semibold' : 'text-ink-2')}>
          <th
            scope="row"
            colSpan={3}
            className={classes('py-0.5 text-right', labelClassName, row.isTotal ? 'font-semibold' : 'font-normal')}
          >
            {row.label}
          </th>
          <td colSpan={amountCell.colSpan} className={classes('py-0.5', amountCell.className, FIGURE)}>
            {amountText(row, currency)}
          </td>
        </tr>
      ))}
    </tfoot>
  );
}

/** The same below a list. */
export function ListTotals({ rows, currency, className }: TotalsProps & { className?: string }) {
  return (
    <dl className={classes('space-y-1 px-4 py-3 text-base', className)}>
      {rows.map((row) => (
        <div
          key={row.label}
          className={classes('flex flex-wrap justify-between gap-x-4', row.isTotal ? 'text-lg font-semibold' : 'text-ink-2')}
        >
          <dt>{row.label}</dt>
          <dd className={classes('ml-auto', FIGURE)}>{amountText(row, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
