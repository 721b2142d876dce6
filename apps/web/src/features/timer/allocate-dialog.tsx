import type { ItemChoice } from '@callout/contract/items';
import type { Job } from '@callout/contract/jobs';
import { formatHourlyRate, formatMoney } from '@callout/domain/money/money-format';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { calculateTimeCost, calculateUnitPrice, parseAllocationQuantity } from '@callout/domain/timer/timer';
import { type Ref, useRef, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { useProfile } from '../company/company.api.ts';
import { ItemPicker } from '../jobs/item-picker.tsx';
import { useElapsedSeconds } from './server-clock.ts';
import { useAllocateTime } from './timer-commands.api.ts';

interface AllocateDialogProps {
  job: Job;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Bills the unbilled time as one line of the chosen item. Remounted each time it opens, which resets the fields. */
export function AllocateDialog({ job, open, onOpenChange }: AllocateDialogProps) {
  const currency = useProfile()?.currency;
  const seconds = Math.max(0, useElapsedSeconds(job.timer) - job.timer.allocated_seconds);
  const total = calculateTimeCost(seconds, job.timer.hourly_rate);
  const [id] = useState(createId);
  const [item, setItem] = useState<ItemChoice | null>(null);
  const [quantityText, setQuantityText] = useState('1');
  const quantityField = useRef<HTMLInputElement>(null);
  const allocate = useAllocateTime();
  const submit = () => {
    const parsed = parseAllocationQuantity(normalizeDecimal(quantityText));
    if (!item) return;
    if ('error' in parsed) quantityField.current?.focus();
    else allocate.mutate({ id, job_id: job.id, supplier_item_id: item.id, ...parsed }, { onSuccess: () => onOpenChange(false) });
  };
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Allocate Time Cost"
      size="medium"
      actions={
        <>
          <Button disabled={allocate.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button tone="primary" disabled={!item} busy={allocate.isPending} onClick={submit}>
            {allocate.isPending ? 'Processing...' : 'Allocate Time Cost'}
          </Button>
        </>
      }
    >
      <dl className="mb-4 grid grid-cols-2 gap-4 rounded-control bg-sunken px-4 py-3 tabular-nums">
        <LabeledValue label="Time spent" value={formatElapsedTime(seconds)} />
        <LabeledValue label={`Cost at ${formatHourlyRate(job.timer.hourly_rate, currency)}`} value={formatMoney(total, currency)} />
      </dl>
      {item ? (
        <SelectedItem
          item={item}
          total={total}
          quantityText={quantityText}
          onQuantityChange={setQuantityText}
          quantityField={quantityField}
          onClear={() => setItem(null)}
          busy={allocate.isPending}
        />
      ) : (
        <ItemPicker height={200} onPick={setItem} />
      )}
    </Sheet>
  );
}

interface SelectedItemProps {
  item: ItemChoice;
  total: string;
  quantityText: string;
  onQuantityChange: (text: string) => void;
  quantityField: Ref<HTMLInputElement>;
  onClear: () => void;
  busy: boolean;
}

function SelectedItem({ item, total, quantityText, onQuantityChange, quantityField, onClear, busy }: SelectedItemProps) {
  const currency = useProfile()?.currency;
  const parsed = parseAllocationQuantity(normalizeDecimal(quantityText));
  const unitPrice = 'quantity' in parsed ? formatMoney(calculateUnitPrice(total, parsed.quantity), currency) : '–';
  return (
    <div className="rounded-control p-4 ring-1 ring-line ring-inset">
      <div className="flex items-start justify-between gap-4">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          <span className="block text-base font-medium">{item.name}</span>
          <span className="block text-sm text-ink-3">{`#${item.sku} · ${item.supplier.company_name}`}</span>
        </p>
        <Button disabled={busy} onClick={onClear}>
          Change
        </Button>
      </div>
      <div className="mt-4 grid grid-cols-3 items-start gap-4">
        <DecimalField
          ref={quantityField}
          label="Quantity"
          step="1"
          value={quantityText}
          error={'error' in parsed ? parsed.error : undefined}
          disabled={busy}
          onChange={({ target }) => onQuantityChange(target.value)}
          onBlur={() => 'quantity' in parsed && onQuantityChange(String(parsed.quantity))}
        />
        <dl className="col-span-2 grid grid-cols-2 gap-4 text-right tabular-nums">
          <LabeledValue label="Unit price" value={unitPrice} />
          <LabeledValue label="Total" value={formatMoney(total, currency)} />
        </dl>
      </div>
    </div>
  );
}

function LabeledValue({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd className="text-lg font-semibold">{value}</dd>
    </div>
  );
}
