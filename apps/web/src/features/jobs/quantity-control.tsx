import type { Job, JobItem } from '@callout/contract/jobs';
import { MAX_QUANTITY, parseQuantity } from '@callout/domain/jobs/quantity';
import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { normalizeDecimal, stepDecimal } from '../../ui/decimal-string.ts';
import { FieldError, useFieldIds } from '../../ui/field.tsx';
import { useSetItemQuantity } from './jobs-items.api.ts';

const increment = (quantity: number) => Math.min(MAX_QUANTITY, Number(stepDecimal(String(quantity), '1', 1)));
const decrement = (quantity: number) => Math.max(1, Number(stepDecimal(String(quantity), '1', -1)));

/** Buttons and arrow keys change the quantity by one, keep fractions and never go below 1. Typed values are saved on blur or Enter. */
export function QuantityControl({ job, item }: { job: Job; item: JobItem }) {
  const change = useSetItemQuantity(job);
  const quantity = Number(item.quantity);
  // Has no thousands separator, because deleting a digit would turn '1,250' into '1,25'.
  const displayed = String(quantity);
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const { id, controlProps } = useFieldIds(undefined, undefined, error);
  const save = (next: number) => {
    setError(undefined);
    setTyped(undefined);
    if (next !== quantity) change.mutate({ id: item.id, quantity: next });
  };
  const saveTyped = () => {
    if (typed === undefined || typed === displayed) return setTyped(undefined);
    const parsed = parseQuantity(normalizeDecimal(typed));
    if ('quantity' in parsed) return save(parsed.quantity);
    setTyped(undefined);
    setError(`${parsed.error}. The quantity is still ${displayed}.`);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') saveTyped();
    if (event.key === 'Escape') setTyped(undefined);
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const parsed = typed === undefined || typed === displayed ? { quantity } : parseQuantity(normalizeDecimal(typed));
    const from = 'quantity' in parsed ? parsed.quantity : quantity;
    save(event.key === 'ArrowUp' ? increment(from) : decrement(from));
  };
  return (
    <div className="justify-self-start text-left">
      <div
        role="group"
        aria-label={`Quantity of ${item.name}`}
        className="inline-flex items-center rounded-control ring-1 ring-line ring-inset"
      >
        <IconButton label={`Decrease quantity of ${item.name}`} disabled={quantity <= 1} onClick={() => save(decrement(quantity))}>
          <Minus aria-hidden="true" />
        </IconButton>
        <input
          {...controlProps}
          aria-label={`Quantity of ${item.name}`}
          inputMode="decimal"
          autoComplete="off"
          value={typed ?? displayed}
          size={Math.max(2, (typed ?? displayed).length)}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setTyped(event.target.value);
            setError(undefined);
          }}
          onBlur={saveTyped}
          onKeyDown={handleKey}
          className="h-11 min-w-8 rounded-control bg-transparent text-center text-lg tabular-nums -outline-offset-2 lg:h-9 lg:text-base"
        />
        <IconButton
          label={`Increase quantity of ${item.name}`}
          disabled={quantity >= MAX_QUANTITY}
          onClick={() => save(increment(quantity))}
        >
          <Plus aria-hidden="true" />
        </IconButton>
      </div>
      <div role="alert">
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}
