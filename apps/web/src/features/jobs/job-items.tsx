import type { Job, JobItem } from '@callout/contract/jobs';
import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import { formatAmount, formatMoney } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { pluralize } from '@callout/domain/text/count-format';
import { ChevronDown, Plus, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { FIGURE_CLASSES, LINE_HEADER_CLASSES, LineName, ListTotals, TableTotals, type TotalRow } from '../../lib/priced-lines.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { AddItemSheet } from './add-item-sheet.tsx';
import { buildPaymentRows } from './job-payment.tsx';
import { useRemoveJobItem } from './jobs-items.api.ts';
import { QuantityControl } from './quantity-control.tsx';

interface PricedJobProps {
  job: Job;
  /** Undefined for an hourly job without items, which has no price yet. */
  totals: JobTotals | undefined;
}

type JobTotals = Job['totals'];

/** Calculates the totals with the same code as the server, so that they update as soon as a quantity changes. */
function calculateTotals(job: Job): JobTotals | undefined {
  if (job.items.length === 0 && (job.job_type !== 'fixed' || job.fixed_amount === null)) return undefined;
  const lines = job.items.map(({ name, total_price, tax_inclusive }) => ({ name, total: total_price, tax_inclusive }));
  return calculateJobTotals(job, lines, job.tax_rate);
}

/** Lists the job's billable items and their totals. Phones show only the count and total until expanded. */
export function JobItems({ job }: { job: Job }) {
  const [isAdding, setAdding] = useState(false);
  const [isExpanded, setExpanded] = useState(false);
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const canWork = useCan('jobs.work');
  const totals = calculateTotals(job);
  const isVisible = isDesktop || (isExpanded && totals !== undefined);
  return (
    <section aria-labelledby="job-items">
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-1 py-2 pr-2 pl-4 lg:pl-5">
          <div className="min-w-0 flex-1 basis-24 py-1">
            <h2 id="job-items" className="text-lg font-semibold">
              Items &amp; Services {isDesktop && job.items.length > 0 && <ItemCount count={job.items.length} />}
            </h2>
            {!isDesktop && <ItemsSummary job={job} totals={totals} />}
          </div>
          <div className="flex shrink-0 items-center">
            {canWork && (
              <Button
                data-add=""
                onClick={() => setAdding(true)}
                tone={isDesktop ? 'secondary' : 'accent'}
                className={isDesktop ? 'mr-1.5' : 'px-1.5!'}
              >
                <Plus aria-hidden="true" />
                Add Item
              </Button>
            )}
            {!isDesktop && totals && (
              <IconButton
                label={isExpanded ? 'Hide the items' : 'Show the items'}
                aria-expanded={isExpanded}
                onClick={() => setExpanded(!isExpanded)}
              >
                <ChevronDown aria-hidden="true" className={classNames('transition-transform duration-160', isExpanded && 'rotate-180')} />
              </IconButton>
            )}
          </div>
        </div>
        {isVisible && (isDesktop ? <ItemsTable job={job} totals={totals} /> : <ItemsList job={job} totals={totals} />)}
      </Card>
      <AddItemSheet jobId={job.id} open={isAdding} onOpenChange={setAdding} />
    </section>
  );
}

const NO_ITEMS_MESSAGE = 'No items added yet';

function ItemCount({ count }: { count: number }) {
  return <span className="ml-1 text-sm font-normal text-ink-3">{count}</span>;
}

function ItemsSummary({ job: { items }, totals }: PricedJobProps) {
  const currency = useProfile()?.currency;
  return (
    <p className="text-base text-ink-2">
      {items.length === 0 ? NO_ITEMS_MESSAGE : pluralize(items.length, 'item')}
      {totals && (
        <>
          {' · '}
          <span className="whitespace-nowrap">
            <span className="font-semibold text-ink tabular-nums">{formatMoney(totals.total_amount, currency)}</span>
            {` ${getTaxInclusionLabel(true)}`}
          </span>
        </>
      )}
    </p>
  );
}

const buildTotalRows = (job: Job, totals: JobTotals): TotalRow[] => [
  { label: 'Subtotal', amount: totals.subtotal },
  { label: `GST ${Number(job.tax_rate)}%`, amount: totals.tax_amount },
  { label: 'Total', amount: totals.total_amount, isTotal: true },
  ...buildPaymentRows(job, totals.total_amount),
];

function ItemsTable({ job, totals }: PricedJobProps) {
  const currency = useProfile()?.currency;
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
            <th scope="col" className="w-14">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
      )}
      <tbody>
        {job.items.length === 0 && (
          <tr className="border-t">
            <td colSpan={6} className="px-5 py-6 text-center text-ink-2">
              {NO_ITEMS_MESSAGE}
            </td>
          </tr>
        )}
        {job.items.map((item) => (
          <ItemRow key={item.id} job={job} item={item} />
        ))}
      </tbody>
      {totals && (
        <TableTotals
          rows={buildTotalRows(job, totals)}
          currency={currency}
          amountCell={{ colSpan: 3, className: 'pr-14 pl-6' }}
          labelClassName={job.items.length === 0 ? 'w-full' : undefined}
        />
      )}
    </table>
  );
}

function ItemRow({ job, item }: { job: Job; item: JobItem }) {
  const { button, isRemoving } = useRemoveButton(job, item);
  const cell = 'border-b py-1.5 align-top';
  /** Padding that aligns a cell's text with the text in the quantity field. */
  const text = 'pt-4 lg:pt-3.5';
  return (
    <tr aria-busy={isRemoving || undefined} className={classNames(isRemoving && 'opacity-55')}>
      <td className={classNames(cell, 'py-2 pr-3 pl-5')}>
        <ItemName item={item} />
      </td>
      <td className={classNames(cell, 'text-center')}>
        <QuantityControl job={job} item={item} />
      </td>
      <td className={classNames(cell, text, FIGURE_CLASSES, 'pl-3')}>{formatAmount(item.unit_price)}</td>
      <td className={classNames(cell, text, 'pl-3 text-sm whitespace-nowrap text-ink-3')}>{getTaxInclusionLabel(item.tax_inclusive)}</td>
      <td className={classNames(cell, text, FIGURE_CLASSES, 'font-semibold')}>{formatAmount(item.total_price)}</td>
      <td className={classNames(cell, 'pl-2')}>{button}</td>
    </tr>
  );
}

/** Displays the item's name, SKU and supplier. Job pages don't show the description. */
function ItemName({ item: { name, sku, supplier_name, is_service } }: { item: JobItem }) {
  return <LineName line={{ name, sku, supplier_name, is_service }} />;
}

function ItemsList({ job, totals }: PricedJobProps) {
  const currency = useProfile()?.currency;
  return (
    <>
      <ul aria-label="Items" className="divide-y border-y">
        {job.items.map((item) => (
          <ItemCard key={item.id} job={job} item={item} />
        ))}
      </ul>
      {totals && <ListTotals rows={buildTotalRows(job, totals)} currency={currency} />}
    </>
  );
}

function ItemCard({ job, item }: { job: Job; item: JobItem }) {
  const { button, isRemoving } = useRemoveButton(job, item);
  return (
    <li
      aria-busy={isRemoving || undefined}
      className={classNames('grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 px-4 py-3 text-base', isRemoving && 'opacity-55')}
    >
      <div className="min-w-0">
        <ItemName item={item} />
      </div>
      <p className={classNames(FIGURE_CLASSES, 'font-semibold')}>
        {formatAmount(item.total_price)}
        <span className="block text-sm font-normal text-ink-3">{`${formatAmount(item.unit_price)} ${getTaxInclusionLabel(item.tax_inclusive)}`}</span>
      </p>
      <QuantityControl job={job} item={item} />
      <div className="-mr-3 justify-self-end">{button}</div>
    </li>
  );
}

/** Returns a Remove button. After the removal, focus moves to the next row's Remove button or to Add Item. */
function useRemoveButton(job: Job, item: JobItem) {
  const { mutate, isPending } = useRemoveJobItem(job);
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
  const remove = () => {
    if (isPending) return;
    wasPressed.current = true;
    mutate(item);
  };
  const button = (
    <IconButton
      ref={element}
      data-remove=""
      label={`Remove ${item.name}`}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
      onClick={remove}
    >
      <X aria-hidden="true" />
    </IconButton>
  );
  return { button, isRemoving: isPending };
}
