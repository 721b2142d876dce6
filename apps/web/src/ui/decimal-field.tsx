import type { ComponentProps, FocusEvent, KeyboardEvent } from 'react';
import { readDecimal, stepped } from './decimal-text.ts';
import { TextField } from './text-field.tsx';

type DecimalFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'step'> & {
  /** What an arrow key adds or takes away, e.g. '0.1'. */
  step?: string;
};

/**
 * A number as it is typed; when it is left, currency signs and thousands separators are gone. The browser's own number field rounds,
 * and drops what it does not understand. Register it with `setValueAs: readDecimal`, so that Enter saves the same number.
 */
export function DecimalField({ step, onKeyDown, onBlur, ...rest }: DecimalFieldProps) {
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    if (readDecimal(value) !== value) setNatively(event.currentTarget, readDecimal(value));
    onBlur?.(event);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === undefined || direction === 0) return;
    const next = stepped(readDecimal(event.currentTarget.value), step, direction);
    if (next === null) return;
    event.preventDefault();
    setNatively(event.currentTarget, next);
  };
  return <TextField autoComplete="off" {...rest} inputMode="decimal" onKeyDown={press} onBlur={leave} />;
}

/** Sets the value as typing would, so that React and the form notice. */
function setNatively(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
