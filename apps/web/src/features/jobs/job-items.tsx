import type { Job, JobItem } from '@callout/contract/jobs';
import { jobTotals } from '@callout/domain/jobs/job-price';
import { formatMoney } from '@callout/domain/money/money-text';
import { Minus, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { AddItemSheet } from './add-item-sheet.tsx';
import { taxWords } from './job-labels.tsx';
import { useRemoveItem, useSetQuantity } from './jobs-items.api.ts';

/** What the job is billed by, with its totals. */
export function JobItems({ job }: { job: Job }) {
  const [adding, setAdding] = useState(false);
  const mayWork = useCan('jobs.work');
  const { items } = job;
  return (
    <section aria-labelledby="job-items">
      <Card>
        <div className="flex items-center justify-between gap-3 px-4 py-3 lg:px-5">
          <h2 id="job-items" className="text-lg font-semibold">
            Items &amp; Services {items.length > 0 && <span className="ml-1 text-sm font-normal text-ink-3">{items.length}</span>}
          </h2>
          {mayWork && (
            <Button onClick={() => setAdding(true)}>
              <Plus aria-hidden="true" />
              Add Item
            </Button>
          )}
        </div>
        {items.length === 0 ? (
          <p className="border-t px-4 py-6 text-center text-base text-ink-2">No items added yet</p>
        ) : (
          <ul aria-label="Items" className="divide-y border-t">
            {items.map((item) => (
              <ItemRow key={item.id} job={job} item={item} />
            ))}
          </ul>
        )}
        <Totals job={job} />
      </Card>
      <AddItemSheet jobId={job.id} open={adding} onOpenChange={setAdding} />
    </section>
  );
}

function ItemRow({ job, item }: { job: Job; item: JobItem }) {
  const currency = useProfile()?.currency;
  const remove = useRemoveItem();
  const detail = [item.sku && `#${item.sku}`, item.supplier_name].filter(Boolean).join(' · ');
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,1fr)_auto_10rem_7rem_auto] lg:px-5">
      <div className="min-w-0">
        <p className="text-base font-medium [overflow-wrap:anywhere]">{item.name}</p>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-3">
          {detail}
          {item.is_service && <StatusPill text="Service" />}
        </p>
      </div>
      <IconButton
        label={`Remove ${item.name}`}
        className="lg:order-last"
        disabled={remove.isPending}
        onClick={() => remove.mutate(item.id)}
      >
        <X aria-hidden="true" />
      </IconButton>
      <QuantityControl job={job} item={item} />
      <p className="text-right text-sm text-ink-2 tabular-nums max-lg:hidden">
        {formatMoney(item.unit_price, currency)} {taxWords(item)}
      </p>
      <p className="text-right text-base font-semibold tabular-nums">
        {formatMoney(item.total_price, currency)}
        <span className="block text-sm font-normal text-ink-3 lg:hidden">
          {formatMoney(item.unit_price, currency)} {taxWords(item)}
        </span>
      </p>
    </li>
  );
}

/** Steps to the next whole number, never below 1. */
function QuantityControl({ job, item }: { job: Job; item: JobItem }) {
  const change = useSetQuantity(job);
  const quantity = Number(item.quantity);
  const set = (next: number) => change.mutate({ id: item.id, quantity: next });
  return (
    <div
      role="group"
      aria-label={`Quantity of ${item.name}`}
      className="flex items-center justify-self-start rounded-control ring-1 ring-line ring-inset"
    >
      <IconButton label={`One less ${item.name}`} disabled={quantity <= 1} onClick={() => set(Math.max(1, Math.ceil(quantity) - 1))}>
        <Minus aria-hidden="true" />
      </IconButton>
      <output className="min-w-8 text-center text-base tabular-nums">{quantity.toLocaleString('en-US')}</output>
      <IconButton label={`One more ${item.name}`} onClick={() => set(Math.floor(quantity) + 1)}>
        <Plus aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** By the same function as on the server, so that they follow a quantity at once. */
function Totals({ job }: { job: Job }) {
  const currency = useProfile()?.currency;
  const lines = job.items.map(({ name, total_price, tax_inclusive }) => ({ name, total: total_price, tax_inclusive }));
  const { subtotal, tax_amount, total_amount } = jobTotals(job, lines, job.tax_rate);
  if (lines.length === 0 && (job.job_type !== 'fixed' || job.fixed_amount === null)) return null;
  const rows = [
    ['Subtotal', subtotal],
    [`GST ${Number(job.tax_rate)}%`, tax_amount],
    ['Total', total_amount],
  ] as const;
  return (
    <dl className="ml-auto grid max-w-xs grid-cols-[1fr_auto] gap-x-6 gap-y-1 border-t px-4 py-3 text-base lg:border-0 lg:px-5">
      {rows.map(([label, amount]) => (
        <div key={label} className="contents last:text-lg last:font-semibold">
          <dt>{label}</dt>
          <dd className="text-right tabular-nums">{formatMoney(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
