import type { ChangeEvent, ComponentProps, KeyboardEvent } from 'react';
import { withDecimalPoint } from './decimal-point.ts';
import { stepped } from './decimal-step.ts';
import { TextField } from './text-field.tsx';

type DecimalFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'step'> & {
  /** What an arrow key adds or takes away, e.g. '0.1'. */
  step?: string;
};

/** A number that stays as it was typed, but for a decimal comma: the browser's own number field rounds and drops what it does not understand. */
export function DecimalField({ step, onKeyDown, onChange, ...rest }: DecimalFieldProps) {
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = event.currentTarget;
    const text = withDecimalPoint(value);
    if (text !== value) {
      event.currentTarget.value = text;
      event.currentTarget.setSelectionRange(selectionStart, selectionStart);
    }
    onChange?.(event);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === undefined || direction === 0) return;
    const next = stepped(event.currentTarget.value, step, direction);
    if (next === null) return;
    event.preventDefault();
    setNatively(event.currentTarget, next);
  };
  return <TextField autoComplete="off" {...rest} inputMode="decimal" onKeyDown={press} onChange={type} />;
}

/** As if it had been typed, so that whoever listens to the field hears it. */
function setNatively(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
