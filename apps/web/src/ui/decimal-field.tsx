import type { ComponentProps, FocusEvent, KeyboardEvent } from 'react';
import { normalizeDecimal, stepDecimal } from './decimal-string.ts';
import { TextField } from './text-field.tsx';

type DecimalFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'step'> & {
  /** Amount that the arrow keys add or subtract, e.g. '0.1'. */
  step?: string;
};

/**
 * Keeps a number as typed until blur, then strips currency signs and thousands separators. (A native number input would round it, and drop
 * text it can't parse.) Register the field with `setValueAs: normalizeDecimal`, so that Enter saves the same number.
 */
export function DecimalField({ step, onKeyDown, onBlur, ...rest }: DecimalFieldProps) {
  const handleBlur = (event: FocusEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    if (normalizeDecimal(value) !== value) setNativeValue(event.currentTarget, normalizeDecimal(value));
    onBlur?.(event);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === undefined || direction === 0) return;
    const next = stepDecimal(normalizeDecimal(event.currentTarget.value), step, direction);
    if (next === null) return;
    event.preventDefault();
    setNativeValue(event.currentTarget, next);
  };
  return <TextField autoComplete="off" {...rest} inputMode="decimal" onKeyDown={handleKeyDown} onBlur={handleBlur} />;
}

/** Sets the value as if the user had typed it, so that React and the form notice the change. */
function setNativeValue(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
