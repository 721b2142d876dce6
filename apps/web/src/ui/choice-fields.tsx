import type { ComponentProps } from 'react';
import { ChoiceFieldset } from './choice-fieldset.tsx';
import { classNames } from './class-names.ts';
import { FieldError, type FieldProps, useFieldIds } from './field.tsx';
import type { Choice } from './select-field.tsx';

const CHECKBOX_CLASSES = 'size-5 shrink-0 accent-accent lg:size-4';
/** Custom radio buttons, because browsers make unselected ones look disabled in dark mode. */
const RADIO_CLASSES =
  'm-0 size-5 shrink-0 appearance-none rounded-full border-2 border-ink-3 bg-surface checked:border-6 checked:border-accent lg:size-4 lg:checked:border-5';

type CheckboxFieldProps = Omit<FieldProps, 'hideLabel' | 'optional'> & Omit<ComponentProps<'input'>, keyof FieldProps | 'type'>;

export function CheckboxField({ label, hint, error, className, id: idProp, ...input }: CheckboxFieldProps) {
  const { id, controlProps } = useFieldIds(idProp, hint, error);
  return (
    <div className={classNames('self-start', className)}>
      <label htmlFor={id} className="flex min-h-11 items-center gap-3 text-base lg:min-h-9">
        <input {...input} {...controlProps} type="checkbox" className={CHECKBOX_CLASSES} />
        <span>
          <span className="font-medium">{label}</span>
          {hint && (
            <span id={`${id}-hint`} className="block text-sm text-ink-3">
              {hint}
            </span>
          )}
        </span>
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
}

/** Switch that takes effect immediately. Its position, not only its color, shows whether it is on. */
export function SwitchField({ label, hint, error, className, id: idProp, ...input }: CheckboxFieldProps) {
  const { id, controlProps } = useFieldIds(idProp, hint, error);
  return (
    <div className={classNames('self-start', className)}>
      <label htmlFor={id} className="flex min-h-11 items-center justify-between gap-4 text-base lg:min-h-9">
        <span>
          <span className="font-medium">{label}</span>
          {hint && (
            <span id={`${id}-hint`} className="block text-sm text-ink-3">
              {hint}
            </span>
          )}
        </span>
        <span className="relative inline-flex h-6 w-10 shrink-0">
          <input
            {...input}
            {...controlProps}
            type="checkbox"
            role="switch"
            className="peer absolute inset-0 m-0 size-full appearance-none rounded-full"
          />
          <span className="pointer-events-none absolute inset-0 rounded-full bg-line-strong transition-colors duration-120 peer-checked:bg-accent peer-disabled:opacity-55" />
          <span className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-surface transition-transform duration-120 peer-checked:translate-x-4" />
        </span>
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
}

type RadioGroupProps = Omit<FieldProps, 'optional'> &
  Omit<ComponentProps<'input'>, keyof FieldProps | 'type' | 'value'> & {
    choices: readonly Choice[];
    /** Selected value of a controlled group. Omit it for a field that is registered with a form. */
    value?: string;
  };

/** Shows a few choices side by side, each large enough to tap. */
export function RadioGroup({ label, hideLabel, hint, error, className, choices, value, id: idProp, ...input }: RadioGroupProps) {
  return (
    <ChoiceFieldset label={label} hideLabel={hideLabel} hint={hint} error={error} className={className} id={idProp}>
      {(id) => (
        <div className="flex flex-wrap gap-2">
          {choices.map((choice) => (
            <label
              key={choice.value}
              className="flex h-11 flex-1 items-center gap-2.5 rounded-control bg-surface px-3.5 text-base font-medium whitespace-nowrap shadow-card ring-1 ring-transparent ring-inset has-checked:bg-accent-soft has-checked:text-accent-ink has-checked:ring-accent sm:flex-none lg:h-9"
            >
              <input
                {...input}
                type="radio"
                id={`${id}-${choice.value}`}
                value={choice.value}
                className={RADIO_CLASSES}
                {...(value === undefined ? {} : { checked: value === choice.value })}
              />
              {choice.label}
            </label>
          ))}
        </div>
      )}
    </ChoiceFieldset>
  );
}

type RadioCardsProps = Omit<FieldProps, 'optional' | 'hideLabel'> &
  Omit<ComponentProps<'input'>, keyof FieldProps | 'type' | 'value'> & { choices: readonly Choice[] };

/** Shows choices that each need a sentence of explanation. */
export function RadioCards({ label, hint, error, className, choices, id: idProp, ...input }: RadioCardsProps) {
  return (
    <ChoiceFieldset label={label} hint={hint} error={error} className={className} id={idProp}>
      {(id) => (
        <div className="grid gap-2 sm:grid-cols-2">
          {choices.map((choice) => (
            <label
              key={choice.value}
              htmlFor={`${id}-${choice.value}`}
              className="flex gap-3 rounded-control bg-surface p-3.5 text-base shadow-card ring-1 ring-transparent ring-inset has-checked:bg-accent-soft has-checked:ring-accent has-disabled:opacity-60"
            >
              <input
                {...input}
                type="radio"
                id={`${id}-${choice.value}`}
                value={choice.value}
                aria-labelledby={`${id}-${choice.value}-label`}
                aria-describedby={choice.hint && `${id}-${choice.value}-hint`}
                className={classNames(RADIO_CLASSES, 'mt-0.5')}
              />
              <span className="min-w-0">
                <span id={`${id}-${choice.value}-label`} className="block font-medium">
                  {choice.label}
                </span>
                {choice.hint && (
                  <span id={`${id}-${choice.value}-hint`} className="block text-sm text-ink-2">
                    {choice.hint}
                  </span>
                )}
              </span>
            </label>
          ))}
        </div>
      )}
    </ChoiceFieldset>
  );
}
