import type { ReactNode } from 'react';
import { type FieldValues, type Path, type UseFormRegisterReturn, useWatch } from 'react-hook-form';
import { CheckboxField, RadioCards, RadioGroup } from '../ui/choice-fields.tsx';
import { type ColorChoice, ColorField } from '../ui/color-field.tsx';
import { DecimalField } from '../ui/decimal-field.tsx';
import { readDecimal } from '../ui/decimal-text.ts';
import { type Choice, SelectField } from '../ui/select-field.tsx';
import { TextAreaField, TextField } from '../ui/text-field.tsx';
import type { AnyField } from './form-definition.ts';
import type { FormValues } from './merge-values.ts';
import type { RecordEditor } from './use-record-form.ts';

/** Another person's address: the browser must not fill in our own. */
const EMAIL_INPUT = { type: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const;

const WIDTHS = { full: 'sm:col-span-6', half: 'sm:col-span-3', third: 'sm:col-span-2' };

/** What only the screen knows of a field, beside its definition. */
export interface FieldExtras {
  label?: string;
  hint?: ReactNode;
  /** What holds while it is empty. */
  placeholder?: string;
  choices?: readonly Choice[];
  leading?: ReactNode;
  trailing?: ReactNode;
  rows?: number;
  step?: string;
  autoComplete?: string;
  /** It shows and cannot be changed; its hint says why. */
  disabled?: boolean;
  /** Instead of the width that the definition gives it. */
  className?: string;
}

interface FormFieldsProps<Values extends FormValues & FieldValues, Output, Stored extends { version: number }> {
  editor: RecordEditor<Values, Output, Stored>;
  /** Only these, in this order; all of them without it. */
  names?: readonly (keyof Values & string)[];
  extras?: { readonly [Name in keyof Values & string]?: FieldExtras | undefined };
}

/** The fields of a form as its definition describes them, in a grid of six columns. */
export function FormFields<Values extends FormValues & FieldValues, Output, Stored extends { version: number }>({
  editor: { form, definition, isNew },
  names = definition.names,
  extras,
}: FormFieldsProps<Values, Output, Stored>) {
  // As text, so that only a change of it renders the form again and not every letter.
  const hidden = useWatch({
    control: form.control,
    compute: (values) => JSON.stringify(names.filter((name) => definition.isHidden(name, values))),
  });
  const hints = useWatch({
    control: form.control,
    compute: (values) => JSON.stringify(Object.fromEntries(names.map((name) => [name, definition.hint(name, values)]))),
  });
  const isHidden = (name: string) => (JSON.parse(hidden) as string[]).includes(name);
  return names
    .filter((name) => !isHidden(name) && !definition.fields[name].rows && !(isNew && definition.fields[name].onlyOnEdit))
    .map((name) => {
      const field = definition.fields[name];
      const hint = (JSON.parse(hints) as Record<string, string>)[name];
      const registered = form.register(name as Path<Values>, field.input === 'decimal' ? { setValueAs: readDecimal } : {});
      const error = form.getFieldState(name as Path<Values>, form.formState).error?.message;
      return <FormInput key={name} field={field} registered={registered} error={error} extras={{ hint, ...extras?.[name] }} />;
    });
}

interface FormInputProps {
  field: AnyField;
  registered: UseFormRegisterReturn;
  error: string | undefined;
  extras: FieldExtras;
}

function FormInput({
  field,
  registered,
  error,
  extras: { choices: given, leading, trailing, rows, step = '1', ...extras },
}: FormInputProps) {
  const { input = 'text', label, optional, width = 'half' } = field;
  const shared = { ...registered, label, error, className: WIDTHS[width], ...extras };
  const choices = given ?? field.choices ?? [];
  const text = { autoComplete: 'off', leading, trailing, optional, ...shared };
  switch (input) {
    case 'lines':
      return <TextAreaField {...shared} optional={optional} {...(rows === undefined ? {} : { rows })} />;
    case 'email':
      return <TextField {...EMAIL_INPUT} {...text} />;
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
