import type { Job, JobItem } from '@callout/contract/jobs';
import { addToQuantity } from '@callout/domain/jobs/line-price';
import { MAX_QUANTITY, parseQuantity } from '@callout/domain/jobs/quantity';
import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { FieldError, useFieldIds } from '../../ui/field.tsx';
import { useChangeItemQuantity } from './jobs-items.api.ts';
import { useLargeQuantityPrompt } from './large-quantity-prompt.tsx';

/** Buttons and arrow keys change the quantity by one, keep fractions and never go below 1. Typed values are saved on blur or Enter. */
export function QuantityControl({ job, item }: { job: Job; item: JobItem }) {
  const change = useChangeItemQuantity(job);
  const largeQuantity = useLargeQuantityPrompt();
  const quantity = Number(item.quantity);
  // Has no thousands separator, because deleting a digit would turn '1,250' into '1,25'.
  const displayed = String(quantity);
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const { id, controlProps } = useFieldIds(undefined, undefined, error);
  const save = async (next: number) => {
    setError(undefined);
    setTyped(undefined);
    if (next !== quantity && (await largeQuantity.confirm(next))) change(item, { id: item.id, quantity: next });
  };
  /** Adds to the stored quantity, or to the typed one if it hasn't been saved yet. */
  const step = (by: 1 | -1) => {
    const parsed = typed === undefined || typed === displayed ? undefined : parseQuantity(normalizeDecimal(typed));
    if (parsed && 'quantity' in parsed) return save(Number(addToQuantity(String(parsed.quantity), by)));
    setError(undefined);
    setTyped(undefined);
    return change(item, { id: item.id, by });
  };
  const saveTyped = () => {
    if (typed === undefined || typed === displayed) return setTyped(undefined);
    const parsed = parseQuantity(normalizeDecimal(typed));
    if ('quantity' in parsed) return void save(parsed.quantity);
    setTyped(undefined);
    setError(`${parsed.error}. The quantity is still ${displayed}.`);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') saveTyped();
    if (event.key === 'Escape') setTyped(undefined);
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    void step(event.key === 'ArrowUp' ? 1 : -1);
  };
  return (
    <div className="justify-self-start text-left">
      <div
        role="group"
        aria-label={`Quantity of ${item.name}`}
        className="inline-flex items-center rounded-control ring-1 ring-line ring-inset"
      >
        <IconButton
          label={`Decrease quantity of ${item.name}`}
          disabled={quantity <= 1}
          onClick={() => change(item, { id: item.id, by: -1 })}
        >
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
          onClick={() => change(item, { id: item.id, by: 1 })}
        >
          <Plus aria-hidden="true" />
        </IconButton>
      </div>
      <div role="alert">
        <FieldError id={id} error={error} />
      </div>
      {largeQuantity.dialog}
    </div>
  );
}
