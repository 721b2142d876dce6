import type { Job, JobItem } from '@callout/contract/jobs';
import { jobTotals } from '@callout/domain/jobs/job-price';
import { formatAmount, formatMoney } from '@callout/domain/money/money-text';
import { taxLabel } from '@callout/domain/tax/tax';
import { countText } from '@callout/domain/text/count-text';
import { ChevronDown, Plus, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { FIGURE, LINE_HEAD, LineName, ListTotals, TableTotals, type TotalRow } from '../../lib/priced-lines.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { AddItemSheet } from './add-item-sheet.tsx';
import { paymentRows } from './job-payment.tsx';
import { useRemoveItem } from './jobs-items.api.ts';
import { QuantityControl } from './quantity-control.tsx';

interface PricedJobProps {
  job: Job;
  /** Undefined for an hourly job without items, which has no price yet. */
  totals: JobTotals | undefined;
}

type JobTotals = Job['totals'];

/** By the same function as on the server, so that they follow a quantity at once. */
function totalsOf(job: Job): JobTotals | undefined {
  if (job.items.length === 0 && (job.job_type !== 'fixed' || job.fixed_amount === null)) return undefined;
  const lines = job.items.map(({ name, total_price, tax_inclusive }) => ({ name, total: total_price, tax_inclusive }));
  return jobTotals(job, lines, job.tax_rate);
}

/** What the job is billed by, with its totals. A phone shows count and total, and opens the rest. */
export function JobItems({ job }: { job: Job }) {
  const [adding, setAdding] = useState(false);
  const [isOpened, setOpened] = useState(false);
  const isDesk = useMediaQuery(DESK_UP);
  const mayWork = useCan('jobs.work');
  const totals = totalsOf(job);
  const isShown = isDesk || (isOpened && totals !== undefined);
  return (
    <section aria-labelledby="job-items">
      <Card>
        {/* With large letters the buttons go below the heading. */}
        <div className="flex flex-wrap items-center justify-between gap-1 py-2 pr-2 pl-4 lg:pl-5">
          <div className="min-w-0 flex-1 basis-24 py-1">
            <h2 id="job-items" className="text-lg font-semibold">
              Items &amp; Services {isDesk && job.items.length > 0 && <Count count={job.items.length} />}
            </h2>
            {!isDesk && <CollapsedItems job={job} totals={totals} />}
          </div>
          <div className="flex shrink-0 items-center">
            {mayWork && (
              <Button
                data-add=""
                onClick={() => setAdding(true)}
                tone={isDesk ? 'secondary' : 'accent'}
                className={isDesk ? 'mr-1.5' : 'px-1.5!'}
              >
                <Plus aria-hidden="true" />
                Add Item
              </Button>
            )}
            {!isDesk && totals && (
              <IconButton
                label={isOpened ? 'Hide the items' : 'Show the items'}
                aria-expanded={isOpened}
                onClick={() => setOpened(!isOpened)}
              >
                <ChevronDown aria-hidden="true" className={classes('transition-transform duration-160', isOpened && 'rotate-180')} />
              </IconButton>
            )}
          </div>
        </div>
        {isShown && (isDesk ? <ItemsTable job={job} totals={totals} /> : <ItemsList job={job} totals={totals} />)}
      </Card>
      <AddItemSheet jobId={job.id} open={adding} onOpenChange={setAdding} />
    </section>
  );
}

const NO_ITEMS = 'No items added yet';

function Count({ count }: { count: number }) {
  return <span className="ml-1 text-sm font-normal text-ink-3">{count}</span>;
}

function CollapsedItems({ job: { items }, totals }: PricedJobProps) {
  const currency = useProfile()?.currency;
  return (
    <p className="text-base text-ink-2">
      {items.length === 0 ? NO_ITEMS : countText(items.length, 'item')}
      {totals && (
        <>
          {' · '}
          <span className="whitespace-nowrap">
            <span className="font-semibold text-ink tabular-nums">{formatMoney(totals.total_amount, currency)}</span>
            {` ${taxLabel(true)}`}
          </span>
        </>
      )}
    </p>
  );
}

const totalRows = (job: Job, totals: JobTotals): TotalRow[] => [
  { label: 'Subtotal', amount: totals.subtotal },
  { label: `GST ${Number(job.tax_rate)}%`, amount: totals.tax_amount },
  { label: 'Total', amount: totals.total_amount, isTotal: true },
  ...paymentRows(job, totals.total_amount),
];

function ItemsTable({ job, totals }: PricedJobProps) {
  const currency = useProfile()?.currency;
  return (
    <table aria-label="Items" className="w-full text-base">
      {job.items.length > 0 && (
        <thead>
          <tr className="border-b text-left">
            <th scope="col" className={classes(LINE_HEAD, 'pl-5')}>
              Item
            </th>
            <th scope="col" className={classes(LINE_HEAD, 'w-32 text-center')}>
              Quantity
            </th>
            <th scope="col" className={classes(LINE_HEAD, 'pl-3 text-right whitespace-nowrap')}>
              Unit price
            </th>
            <th scope="col" className={classes(LINE_HEAD, 'w-19 pl-3')}>
              GST
            </th>
            <th scope="col" className={classes(LINE_HEAD, 'w-24 text-right')}>
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
              {NO_ITEMS}
            </td>
          </tr>
        )}
        {job.items.map((item) => (
          <ItemRow key={item.id} job={job} item={item} />
        ))}
      </tbody>
      {totals && (
        <TableTotals
          rows={totalRows(job, totals)}
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
  /** In line with the text of the quantity field. */
  const text = 'pt-4 lg:pt-3.5';
  return (
    <tr aria-busy={isRemoving || undefined} className={classes(isRemoving && 'opacity-55')}>
      <td className={classes(cell, 'py-2 pr-3 pl-5')}>
        <ItemName item={item} />
      </td>
      <td className={classes(cell, 'text-center')}>
        <QuantityControl job={job} item={item} />
      </td>
      <td className={classes(cell, text, FIGURE, 'pl-3')}>{formatAmount(item.unit_price)}</td>
      <td className={classes(cell, text, 'pl-3 text-sm whitespace-nowrap text-ink-3')}>{taxLabel(item.tax_inclusive)}</td>
      <td className={classes(cell, text, FIGURE, 'font-semibold')}>{formatAmount(item.total_price)}</td>
      <td className={classes(cell, 'pl-2')}>{button}</td>
    </tr>
  );
}

/** A job shows no descriptions of its lines. */
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
      {totals && <ListTotals rows={totalRows(job, totals)} currency={currency} />}
    </>
  );
}

function ItemCard({ job, item }: { job: Job; item: JobItem }) {
  const { button, isRemoving } = useRemoveButton(job, item);
  return (
    <li
      aria-busy={isRemoving || undefined}
      className={classes('grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 px-4 py-3 text-base', isRemoving && 'opacity-55')}
    >
      <div className="min-w-0">
        <ItemName item={item} />
      </div>
      <p className={classes(FIGURE, 'font-semibold')}>
        {formatAmount(item.total_price)}
        <span className="block text-sm font-normal text-ink-3">{`${formatAmount(item.unit_price)} ${taxLabel(item.tax_inclusive)}`}</span>
      </p>
      <QuantityControl job={job} item={item} />
      <div className="-mr-3 justify-self-end">{button}</div>
    </li>
  );
}

/** The focus goes on from a removed row to the next one's button, or to Add Item. */
function useRemoveButton(job: Job, item: JobItem) {
  const { mutate, isPending } = useRemoveItem(job);
  const element = useRef<HTMLButtonElement>(null);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    const left = element.current;
    return () => {
      if (!left || !wasPressed.current || document.activeElement !== left) return;
      const section = left.closest('section');
      const buttons = [...(section?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];
      const next = buttons[buttons.indexOf(left) + 1] ?? section?.querySelector<HTMLElement>('[data-add]');
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
