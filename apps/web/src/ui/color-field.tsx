import { Check } from 'lucide-react';
import type { ComponentProps } from 'react';
import { ChoiceFieldset } from './choice-fieldset.tsx';
import { classNames } from './class-names.ts';
import { getContrastStyle } from './contrast-style.ts';
import type { FieldProps } from './field.tsx';

export interface ColorChoice {
  value: string;
  label: string;
  /** Hex code such as '#2563eb'. */
  color: string;
}

type ColorFieldProps = Omit<FieldProps, 'optional' | 'hideLabel'> &
  Omit<ComponentProps<'input'>, keyof FieldProps | 'type' | 'value'> & { choices: readonly ColorChoice[] };

/** Returns grid classes with column counts that fill every row. */
const getGridClasses = (count: number) =>
  count % 6 === 0
    ? 'grid-cols-[repeat(auto-fill,minmax(max(2.25rem,14%),1fr))] sm:grid-cols-12 lg:grid-cols-6 xl:grid-cols-12'
    : 'grid-cols-4 sm:grid-cols-8';

/** Lets people choose one color. Each color displays its name, and the chosen color has a check mark. */
export function ColorField({ label, hint, error, className, choices, id: idProp, ...input }: ColorFieldProps) {
  return (
    <ChoiceFieldset label={label} hint={hint} error={error} className={className} id={idProp}>
      {(id) => (
        <div className={classNames('grid gap-1.5', getGridClasses(choices.length))}>
          {choices.map((choice) => (
            <label
              key={choice.value}
              title={choice.label}
              className="relative flex flex-col items-center gap-1 rounded-control py-1.5 text-xs text-ink-3 hover:bg-sunken has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-ink"
            >
              <input
                {...input}
                type="radio"
                id={`${id}-${choice.value}`}
                value={choice.value}
                className="peer absolute inset-0 m-0 size-full cursor-pointer appearance-none rounded-control"
              />
              <span
                aria-hidden="true"
                className="pointer-events-none flex size-8 items-center justify-center rounded-full [&_svg]:opacity-0 peer-checked:[&_svg]:opacity-100"
                style={getContrastStyle(choice.color)}
              >
                <Check className="size-4.5" />
              </span>
              {choice.label}
            </label>
          ))}
        </div>
      )}
    </ChoiceFieldset>
  );
}
