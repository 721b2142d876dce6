import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { FieldError, type FieldProps, useFieldIds } from './field.tsx';

interface ChoiceFieldsetProps extends Omit<FieldProps, 'optional'> {
  id?: string | undefined;
  /** The choices; the id each of them starts its own with. */
  children: (id: string) => ReactNode;
}

/** The frame of a group of which one choice holds: its name above, hint and error below. */
export function ChoiceFieldset({ label, hideLabel, hint, error, className, id: given, children }: ChoiceFieldsetProps) {
  const { id, control } = useFieldIds(given, hint, error);
  return (
    <fieldset
      // Where the focus goes on when what had it is gone.
      tabIndex={-1}
      className={classes('m-0 min-w-0 self-start border-0 p-0 outline-none', className)}
      aria-describedby={control['aria-describedby']}
    >
      <legend className={hideLabel ? 'sr-only' : 'mb-1.5 p-0 text-sm font-medium'}>{label}</legend>
      {children(id)}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-3 empty:hidden">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </fieldset>
  );
}
