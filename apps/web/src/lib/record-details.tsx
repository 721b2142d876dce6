import type { ReactNode } from 'react';
import { classes } from '../ui/classes.ts';
import { ContactLink } from './contact-links.tsx';
import type { AnyField, FieldInput, FormDefinition } from './form-definition.ts';
import type { FormValue, FormValues } from './merge-values.ts';

/** What may be long gets a line of its own, whatever its width in the form. */
const WIDTHS: Partial<Record<FieldInput, string>> = { lines: 'sm:col-span-6', address: 'sm:col-span-6' };

interface RecordDetailsProps<Values extends FormValues, Output, Stored> {
  definition: FormDefinition<Values, Output, Stored>;
  /** A list knows only part of it; what is missing is left out. */
  record: Partial<Stored>;
  /** What the page says elsewhere. */
  omit?: readonly (keyof Values & string)[];
  /** Below the fields. */
  children?: ReactNode;
}

/** The fields of a record to read, under the labels of its form: numbers dial, addresses open in a map, what is empty is left out. */
export function RecordDetails<Values extends FormValues, Output, Stored>({
  definition,
  record,
  omit,
  children,
}: RecordDetailsProps<Values, Output, Stored>) {
  const values = definition.valuesOf(record as Stored);
  const names = definition.names.filter((name) => !omit?.includes(name) && !definition.isHidden(name, values) && values[name] !== '');
  return (
    <div className="md:rounded-card md:bg-surface md:p-5 md:shadow-card">
      <dl className="grid gap-x-5 gap-y-4 sm:grid-cols-6">
        {names.map((name) => {
          const field = definition.fields[name];
          return (
            <div
              key={name}
              className={classes('min-w-0', WIDTHS[field.input ?? 'text'] ?? (field.width === 'third' ? 'sm:col-span-2' : 'sm:col-span-3'))}
            >
              <dt className="text-sm text-ink-3">{field.readLabel?.(values) ?? field.label}</dt>
              <dd className="mt-0.5 text-lg whitespace-pre-line [overflow-wrap:anywhere] lg:text-base">
                <DetailValue field={field} value={values[name]} />
              </dd>
            </div>
          );
        })}
      </dl>
      {children && <div className="mt-4 border-t pt-4 text-sm text-ink-3">{children}</div>}
    </div>
  );
}

function DetailValue({ field: { input, choices }, value = '' }: { field: AnyField; value: FormValue | undefined }) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return value.length;
  if (input === 'phone' || input === 'email' || input === 'address') return <ContactLink kind={input} text={value} />;
  return choices?.find((choice) => choice.value === value)?.label ?? value;
}
