import type { Job, JobItem } from '@callout/contract/jobs';
import { MAX_QUANTITY, readQuantity } from '@callout/domain/jobs/quantity';
import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { readDecimal, stepped } from '../../ui/decimal-text.ts';
import { FieldError, useFieldIds } from '../../ui/field.tsx';
import { useSetQuantity } from './jobs-items.api.ts';

const oneMore = (quantity: number) => Math.min(MAX_QUANTITY, Number(stepped(String(quantity), '1', 1)));
const oneLess = (quantity: number) => Math.max(1, Number(stepped(String(quantity), '1', -1)));

/** Steps by one, never below 1, and keeps the fraction of a quote; or takes what was typed when the field is left or Enter is pressed. */
export function QuantityControl({ job, item }: { job: Job; item: JobItem }) {
  const change = useSetQuantity(job);
  const quantity = Number(item.quantity);
  // Without commas: edited, '1,250' could end as '1,25'.
  const shown = String(quantity);
  /** Undefined while nothing is being typed. */
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const { id, control } = useFieldIds(undefined, undefined, error);
  const set = (next: number) => {
    setError(undefined);
    setTyped(undefined);
    if (next !== quantity) change.mutate({ id: item.id, quantity: next });
  };
  const read = () => {
    if (typed === undefined || typed === shown) return setTyped(undefined);
    const found = readQuantity(readDecimal(typed));
    if ('quantity' in found) return set(found.quantity);
    setTyped(undefined);
    setError(`${found.error}. Kept at ${shown}.`);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') read();
    if (event.key === 'Escape') setTyped(undefined);
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const found = typed === undefined || typed === shown ? { quantity } : readQuantity(readDecimal(typed));
    const from = 'quantity' in found ? found.quantity : quantity;
    set(event.key === 'ArrowUp' ? oneMore(from) : oneLess(from));
  };
  return (
    <div className="justify-self-start text-left">
      <div
        role="group"
        aria-label={`Quantity of ${item.name}`}
        className="inline-flex items-center rounded-control ring-1 ring-line ring-inset"
      >
        <IconButton label={`Decrease quantity of ${item.name}`} disabled={quantity <= 1} onClick={() => set(oneLess(quantity))}>
          <Minus aria-hidden="true" />
        </IconButton>
        <input
          {...control}
          aria-label={`Quantity of ${item.name}`}
          inputMode="decimal"
          autoComplete="off"
          value={typed ?? shown}
          size={Math.max(2, (typed ?? shown).length)}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setTyped(event.target.value);
            setError(undefined);
          }}
          onBlur={read}
          onKeyDown={handleKey}
          className="h-11 min-w-8 rounded-control bg-transparent text-center text-lg tabular-nums -outline-offset-2 lg:h-9 lg:text-base"
        />
        <IconButton label={`Increase quantity of ${item.name}`} disabled={quantity >= MAX_QUANTITY} onClick={() => set(oneMore(quantity))}>
          <Plus aria-hidden="true" />
        </IconButton>
      </div>
      <div role="alert">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}
