import type { Job, JobItem } from '@callout/contract/jobs';
import { getFixedPrice } from '@callout/domain/jobs/job-price';
import { formatLineDiscount } from '@callout/domain/jobs/line-price';
import { formatAmount } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { Pencil, X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { FIGURE_CLASSES, LINE_HEADER_CLASSES, LineName, ListTotals, TableTotals, type TotalRow } from '../../lib/priced-lines.tsx';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { buildPaymentRows } from './job-payment.tsx';
import { isUnknownLine, useRemoveJobItem } from './jobs-items.api.ts';
import { QuantityControl } from './quantity-control.tsx';

export type JobTotals = Job['totals'];

interface LineAccess {
  /** True if the person can't change the items, or not yet. */
  isReadOnly: boolean;
  /** Opens a line's price and discount. Undefined for people who may not change them. */
  onEdit: ((id: string) => void) | undefined;
}

interface ItemRowsProps extends LineAccess {
  job: Job;
  /** Undefined for an hourly job without items, which has no price yet. */
  totals: JobTotals | undefined;
}

export const NO_ITEMS_MESSAGE = 'No items added yet';

const buildTotalRows = (job: Job, totals: JobTotals): TotalRow[] => [
  { label: 'Subtotal', amount: totals.subtotal },
  { label: `GST ${Number(job.tax_rate)}%`, amount: totals.tax_amount },
  { label: 'Total', amount: totals.total_amount, isTotal: true },
  ...buildPaymentRows(job, totals.total_amount),
];

export function ItemsTable({ job, totals, ...access }: ItemRowsProps) {
  const { currency } = job;
  return (
    <table aria-label="Items" className="w-full text-base">
      {job.items.length > 0 && (
        <thead>
          <tr className="border-b text-left">
            <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'pl-5')}>
              Item
            </th>
            <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'w-32 text-center')}>
              Quantity
            </th>
            <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'pl-3 text-right whitespace-nowrap')}>
              Unit price
            </th>
            <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'w-19 pl-3')}>
              GST
            </th>
            <th scope="col" className={classNames(LINE_HEADER_CLASSES, 'w-24 text-right')}>
              Total
            </th>
            <th scope="col" className={access.onEdit && !access.isReadOnly ? 'w-24' : 'w-14'}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
      )}
      <tbody>
        {job.items.length === 0 && <EmptyRow job={job} />}
        {job.items.map((item) => (
          <ItemRow key={item.id} job={job} item={item} {...access} />
        ))}
      </tbody>
      {totals && (
        <TableTotals
          rows={buildTotalRows(job, totals)}
          currency={currency}
          amountCell={{
            colSpan: 3,
            className: classNames('pl-6', access.onEdit && !access.isReadOnly && job.items.length > 0 ? 'pr-24' : 'pr-14'),
          }}
          labelClassName={job.items.length === 0 ? 'w-full' : undefined}
        />
      )}
    </table>
  );
}

/** A job without items costs its fixed amount, which is then shown like a line. */
function EmptyRow({ job }: { job: Job }) {
  const fixedPrice = getFixedPrice(job);
  if (fixedPrice === null) {
    return (
      <tr className="border-t">
        <td colSpan={6} className="px-5 py-6 text-center text-ink-2">
          {NO_ITEMS_MESSAGE}
        </td>
      </tr>
    );
  }
  return (
    <tr className="border-y align-top">
      <td colSpan={3} className="py-2.5 pr-3 pl-5">
        <span className="block font-medium">Fixed price</span>
        <span className="block text-sm text-ink-3">{NO_ITEMS_MESSAGE}</span>
      </td>
      <td colSpan={3} className={classNames('py-2.5 pr-14', FIGURE_CLASSES)}>
        <span className="font-semibold">{formatAmount(fixedPrice)}</span>{' '}
        <span className="text-sm text-ink-3">{getTaxInclusionLabel(true)}</span>
      </td>
    </tr>
  );
}

interface ItemProps extends LineAccess {
  job: Job;
  item: JobItem;
}

/** The fixed price was agreed on with the customer, so people who may not change prices can't change or remove its line either. */
const isProtectedLine = ({ item, onEdit }: ItemProps) => item.is_fixed_price && !onEdit;

/** Lines that nobody can change, and those that this person may not change. */
const isReadOnlyLine = (props: ItemProps) => props.isReadOnly || isProtectedLine(props) || isUnknownLine(props.item);

function ItemRow(props: ItemProps) {
  const { job, item, onEdit } = props;
  const isReadOnly = isReadOnlyLine(props);
  const { button, isRemoving } = useRemoveButton(job, item);
  const cell = 'border-b py-1.5 align-top';
  /** Padding that aligns a cell's text with the text in the quantity field. */
  const text = 'pt-4 lg:pt-3.5';
  return (
    <tr aria-busy={isRemoving || undefined} className={classNames(isRemoving && 'opacity-55')}>
      <td className={classNames(cell, 'py-2 pr-3 pl-5')}>
        <ItemName item={item} isProtected={isProtectedLine(props)} />
      </td>
      <td className={classNames(cell, 'text-center')}>
        {isReadOnly ? <span className="block pt-2.5 tabular-nums">{item.quantity}</span> : <QuantityControl job={job} item={item} />}
      </td>
      <td className={classNames(cell, text, FIGURE_CLASSES, 'pl-3')}>{formatAmount(item.unit_price)}</td>
      <td className={classNames(cell, text, 'pl-3 text-sm whitespace-nowrap text-ink-3')}>{getTaxInclusionLabel(item.tax_inclusive)}</td>
      <td className={classNames(cell, text, FIGURE_CLASSES, 'font-semibold')}>{formatAmount(item.total_price)}</td>
      <td className={classNames(cell, 'pl-2 whitespace-nowrap')}>
        {!isReadOnly && <EditButton item={item} onEdit={onEdit} />}
        {!isReadOnly && button}
      </td>
    </tr>
  );
}

/** Displays the item's name, SKU, supplier and discount. Job pages don't show the description. */
function ItemName({ item, isProtected }: { item: JobItem; isProtected: boolean }) {
  const { name, sku, supplier_name, is_service } = item;
  const discount = formatLineDiscount(item);
  return (
    <>
      <LineName line={{ name, sku, supplier_name, is_service }} />
      {item.is_fixed_price && (
        <span className="block text-sm text-ink-2">
          {isProtected ? 'Fixed price. Ask an admin, manager or accountant to change it.' : 'Fixed price'}
        </span>
      )}
      {discount !== null && <span className="block text-sm text-ink-2 tabular-nums">{discount}</span>}
    </>
  );
}

function EditButton({ item, onEdit }: { item: JobItem; onEdit: LineAccess['onEdit'] }) {
  if (!onEdit) return null;
  return (
    <IconButton label={`Edit ${item.name}`} onClick={() => onEdit(item.id)}>
      <Pencil aria-hidden="true" />
    </IconButton>
  );
}

export function ItemsList({ job, totals, ...access }: ItemRowsProps) {
  const { currency } = job;
  return (
    <>
      <ul aria-label="Items" className="divide-y border-y">
        {job.items.map((item) => (
          <ItemCard key={item.id} job={job} item={item} {...access} />
        ))}
      </ul>
      {totals && <ListTotals rows={buildTotalRows(job, totals)} currency={currency} />}
    </>
  );
}

function ItemCard(props: ItemProps) {
  const { job, item, onEdit } = props;
  const isReadOnly = isReadOnlyLine(props);
  const { button, isRemoving } = useRemoveButton(job, item);
  return (
    <li
      aria-busy={isRemoving || undefined}
      className={classNames('grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 px-4 py-3 text-base', isRemoving && 'opacity-55')}
    >
      <div className="min-w-0">
        <ItemName item={item} isProtected={isProtectedLine(props)} />
      </div>
      <p className={classNames(FIGURE_CLASSES, 'font-semibold')}>
        {formatAmount(item.total_price)}
        <span className="block text-sm font-normal text-ink-3">{`${formatAmount(item.unit_price)} ${getTaxInclusionLabel(item.tax_inclusive)}`}</span>
      </p>
      {isReadOnly ? <p className="text-ink-2">{`Quantity ${item.quantity}`}</p> : <QuantityControl job={job} item={item} />}
      {!isReadOnly && (
        <div className="-mr-3 justify-self-end">
          <EditButton item={item} onEdit={onEdit} />
          {button}
        </div>
      )}
    </li>
  );
}

/** Returns a Remove button. After the removal, focus moves to the next row's Remove button or to Add Item. */
function useRemoveButton(job: Job, item: JobItem) {
  const { remove, isPending } = useRemoveJobItem(job);
  const element = useRef<HTMLButtonElement>(null);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    const removedButton = element.current;
    return () => {
      if (!removedButton || !wasPressed.current || document.activeElement !== removedButton) return;
      const section = removedButton.closest('section');
      const buttons = [...(section?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];
      const next = buttons[buttons.indexOf(removedButton) + 1] ?? section?.querySelector<HTMLElement>('[data-add]');
      next?.focus();
    };
  }, []);
  const press = () => {
    if (isPending) return;
    wasPressed.current = true;
    remove(item);
  };
  const button = (
    <IconButton
      ref={element}
      data-remove=""
      label={`Remove ${item.name}`}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
      onClick={press}
    >
      <X aria-hidden="true" />
    </IconButton>
  );
  return { button, isRemoving: isPending };
}
