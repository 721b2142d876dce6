import type { ReactNode } from 'react';
import { type FieldValues, type Path, type UseFormRegisterReturn, useWatch } from 'react-hook-form';
import { CheckboxField, RadioCards, RadioGroup } from '../ui/choice-fields.tsx';
import { type ColorChoice, ColorField } from '../ui/color-field.tsx';
import { DecimalField } from '../ui/decimal-field.tsx';
import { normalizeDecimal } from '../ui/decimal-string.ts';
import { type Choice, SelectField } from '../ui/select-field.tsx';
import { TextAreaField, TextField } from '../ui/text-field.tsx';
import type { AnyFormField } from './form-definition.ts';
import type { FormValues } from './merge-values.ts';
import type { RecordEditor } from './use-record-form.ts';

/** Props for an email input. `FormInput` turns off autocomplete, so that browsers don't fill in the user's own address. */
const EMAIL_INPUT_PROPS = { type: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const;

const WIDTH_CLASSES = { full: 'sm:col-span-6', half: 'sm:col-span-3', third: 'sm:col-span-2' };

/** Field props set by a particular screen. They override the form definition. */
export interface FieldOverrides {
  label?: string;
  hint?: ReactNode;
  /** Shows the default value that applies while the field is empty. */
  placeholder?: string;
  choices?: readonly Choice[];
  leading?: ReactNode;
  trailing?: ReactNode;
  rows?: number;
  step?: string;
  autoComplete?: string;
  /** Makes the field read-only. `hint` should say why. */
  disabled?: boolean;
  /** Overrides the definition's width. */
  className?: string;
}

interface FormFieldsProps<Values extends FormValues & FieldValues, Output, Stored extends { version: number }> {
  editor: RecordEditor<Values, Output, Stored>;
  /** Fields to render, in this order. Defaults to all fields. */
  names?: readonly (keyof Values & string)[];
  extras?: { readonly [Name in keyof Values & string]?: FieldOverrides | undefined };
}

/** Renders the fields of a form definition in a six-column grid. */
export function FormFields<Values extends FormValues & FieldValues, Output, Stored extends { version: number }>({
  editor: { form, definition, isNew },
  names = definition.names,
  extras,
}: FormFieldsProps<Values, Output, Stored>) {
  // Serialized to a string, so that the form re-renders only when a field is hidden or shown, not on every keystroke.
  const hidden = useWatch({
    control: form.control,
    compute: (values) => JSON.stringify(names.filter((name) => definition.isHidden(name, values))),
  });
  const hints = useWatch({
    control: form.control,
    compute: (values) => JSON.stringify(Object.fromEntries(names.map((name) => [name, definition.getHint(name, values)]))),
  });
  const isHidden = (name: string) => (JSON.parse(hidden) as string[]).includes(name);
  return names
    .filter((name) => !isHidden(name) && !definition.fields[name].rows && !(isNew && definition.fields[name].editOnly))
    .map((name) => {
      const field = definition.fields[name];
      const hint = (JSON.parse(hints) as Record<string, string>)[name];
      const registered = form.register(name as Path<Values>, field.input === 'decimal' ? { setValueAs: normalizeDecimal } : {});
      const error = form.getFieldState(name as Path<Values>, form.formState).error?.message;
      return <FormInput key={name} field={field} registered={registered} error={error} extras={{ hint, ...extras?.[name] }} />;
    });
}

interface FormInputProps {
  field: AnyFormField;
  registered: UseFormRegisterReturn;
  error: string | undefined;
  extras: FieldOverrides;
}

function FormInput({
  field,
  registered,
  error,
  extras: { choices: given, leading, trailing, rows, step = '1', ...extras },
}: FormInputProps) {
  const { input = 'text', label, optional, width = 'half' } = field;
  const shared = { ...registered, label, error, className: WIDTH_CLASSES[width], ...extras };
  const choices = given ?? field.choices ?? [];
  const text = { autoComplete: 'off', leading, trailing, optional, ...shared };
  switch (input) {
    case 'lines':
      return <TextAreaField {...shared} optional={optional} {...(rows === undefined ? {} : { rows })} />;
    case 'email':
      return <TextField {...EMAIL_INPUT_PROPS} {...text} />;
    case 'phone':
      return <TextField type="tel" inputMode="tel" {...text} />;
    case 'decimal':
      return <DecimalField step={step} {...text} />;
    case 'select':
      return <SelectField {...shared} choices={choices} />;
    case 'radio':
      return <RadioGroup {...shared} choices={choices} />;
    case 'cards':
      return <RadioCards {...shared} choices={choices} />;
    case 'colors':
      return <ColorField {...shared} choices={choices as readonly ColorChoice[]} />;
    case 'checkbox':
      return <CheckboxField {...shared} />;
    case 'address':
    case 'text':
      return <TextField {...text} />;
    default:
      return input satisfies never;
  }
}
