import type { ItemChoice } from '@callout/contract/items';
import type { Job } from '@callout/contract/jobs';
import { formatHourlyRate, formatMoney } from '@callout/domain/money/money-text';
import { elapsedText } from '@callout/domain/timer/elapsed-time';
import { allocatedQuantity, timeCost, unitPriceOf } from '@callout/domain/timer/timer';
import { type Ref, useRef, useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { readDecimal } from '../../ui/decimal-text.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { useProfile } from '../company/company.api.ts';
import { ItemPicker } from '../jobs/item-picker.tsx';
import { useElapsed } from './server-clock.ts';
import { useAllocateTime } from './timer-commands.api.ts';

interface AllocateDialogProps {
  job: Job;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Bills the time that no line bills yet as one line of the chosen item. Made anew for each opening, so that nothing of the last one stays. */
export function AllocateDialog({ job, open, onOpenChange }: AllocateDialogProps) {
  const currency = useProfile()?.currency;
  const seconds = Math.max(0, useElapsed(job.timer) - job.timer.allocated_seconds);
  const total = timeCost(seconds, job.timer.hourly_rate);
  const [id] = useState(newId);
  const [item, setItem] = useState<ItemChoice | null>(null);
  const [typed, setTyped] = useState('1');
  const quantityField = useRef<HTMLInputElement>(null);
  const allocate = useAllocateTime();
  const submit = () => {
    const read = allocatedQuantity(readDecimal(typed));
    if (!item) return;
    if ('error' in read) quantityField.current?.focus();
    else allocate.mutate({ id, job_id: job.id, supplier_item_id: item.id, ...read }, { onSuccess: () => onOpenChange(false) });
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
        <Figure label="Time spent" value={elapsedText(seconds)} />
        <Figure label={`Cost at ${formatHourlyRate(job.timer.hourly_rate, currency)}`} value={formatMoney(total, currency)} />
      </dl>
      {item ? (
        <SelectedItem
          item={item}
          total={total}
          typed={typed}
          onType={setTyped}
          quantityField={quantityField}
          onChange={() => setItem(null)}
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
  typed: string;
  onType: (text: string) => void;
  quantityField: Ref<HTMLInputElement>;
  onChange: () => void;
  busy: boolean;
}

function SelectedItem({ item, total, typed, onType, quantityField, onChange, busy }: SelectedItemProps) {
  const currency = useProfile()?.currency;
  const read = allocatedQuantity(readDecimal(typed));
  const unitPrice = 'quantity' in read ? formatMoney(unitPriceOf(total, read.quantity), currency) : '–';
  return (
    <div className="rounded-control p-4 ring-1 ring-line ring-inset">
      <div className="flex items-start justify-between gap-4">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          <span className="block text-base font-medium">{item.name}</span>
          <span className="block text-sm text-ink-3">{`#${item.sku} · ${item.supplier.company_name}`}</span>
        </p>
        <Button disabled={busy} onClick={onChange}>
          Change
        </Button>
      </div>
      <div className="mt-4 grid grid-cols-3 items-start gap-4">
        <DecimalField
          ref={quantityField}
          label="Quantity"
          step="1"
          value={typed}
          error={'error' in read ? read.error : undefined}
          disabled={busy}
          onChange={({ target }) => onType(target.value)}
          onBlur={() => 'quantity' in read && onType(String(read.quantity))}
        />
        <dl className="col-span-2 grid grid-cols-2 gap-4 text-right tabular-nums">
          <Figure label="Unit price" value={unitPrice} />
          <Figure label="Total" value={formatMoney(total, currency)} />
        </dl>
      </div>
    </div>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd className="text-lg font-semibold">{value}</dd>
    </div>
  );
}
