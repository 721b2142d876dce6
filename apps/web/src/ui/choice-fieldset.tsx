import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { FieldError, type FieldProps, useFieldIds } from './field.tsx';

interface ChoiceFieldsetProps extends Omit<FieldProps, 'optional'> {
  id?: string | undefined;
  /** Renders the choices. Each choice's id must start with `id`. */
  children: (id: string) => ReactNode;
}

/** Fieldset around mutually exclusive choices, with the label above and hint and error below. */
export function ChoiceFieldset({ label, hideLabel, hint, error, className, id: idProp, children }: ChoiceFieldsetProps) {
  const { id, controlProps } = useFieldIds(idProp, hint, error);
  return (
    <fieldset
      // Focusable, so that the fieldset can take the focus when the focused choice is removed.
      tabIndex={-1}
      className={classNames('m-0 min-w-0 self-start border-0 p-0 outline-none', className)}
      aria-describedby={controlProps['aria-describedby']}
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
