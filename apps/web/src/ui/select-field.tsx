import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { CONTROL, FieldFrame, type FieldProps, useFieldIds } from './field.tsx';

export interface Choice<Value extends string = string> {
  value: Value;
  label: string;
  hint?: string;
}

type SelectFieldProps = FieldProps & Omit<ComponentProps<'select'>, keyof FieldProps | 'children'> & { choices: readonly Choice[] };

/** The platform's own select: the quickest there is with one thumb, and it weighs nothing. */
export function SelectField({ label, hideLabel, optional, hint, error, className, choices, id: given, ...select }: SelectFieldProps) {
  const { id, control } = useFieldIds(given, hint, error);
  return (
    <FieldFrame id={id} label={label} hideLabel={hideLabel} optional={optional} hint={hint} error={error} className={className}>
      <div className="relative">
        <select {...select} {...control} className={classes(CONTROL, 'h-11 appearance-none truncate pr-9 lg:h-9')}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} className="bg-raised text-ink">
              {choice.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-ink-3" />
      </div>
    </FieldFrame>
  );
}
