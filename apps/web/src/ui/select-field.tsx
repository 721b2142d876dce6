import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { CONTROL_CLASSES, FieldFrame, type FieldProps, useFieldIds } from './field.tsx';

export interface Choice<Value extends string = string> {
  value: Value;
  label: string;
  hint?: string;
}

/**
 * Builds the choices of a filter. Adds the selected record if it no longer exists, so that the control doesn't claim to show all. `records`
 * is undefined until loaded.
 */
export function buildChoices(
  records: readonly { id: string; name: string }[] | undefined,
  selected: string | undefined,
  goneLabel: string,
): Choice[] {
  const choices = (records ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isGone = records !== undefined && selected !== undefined && !records.some(({ id }) => id === selected);
  return isGone ? [...choices, { value: selected, label: goneLabel }] : choices;
}

type SelectFieldProps = FieldProps & Omit<ComponentProps<'select'>, keyof FieldProps | 'children'> & { choices: readonly Choice[] };

/** Native select, which is the fastest to use with one thumb and adds no code. */
export function SelectField({ label, hideLabel, optional, hint, error, className, choices, id: idProp, ...select }: SelectFieldProps) {
  const { id, controlProps } = useFieldIds(idProp, hint, error);
  return (
    <FieldFrame id={id} label={label} hideLabel={hideLabel} optional={optional} hint={hint} error={error} className={className}>
      <div className="relative">
        <select {...select} {...controlProps} className={classNames(CONTROL_CLASSES, 'h-11 appearance-none truncate pr-9 lg:h-9')}>
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
