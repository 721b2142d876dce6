import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { ContactLink } from './contact-links.tsx';
import type { AnyFormField, FieldInputKind, FormDefinition } from './form-definition.ts';
import type { FormValue, FormValues } from './merge-values.ts';

/** Fields with long values take the full row, regardless of their width in the form. */
const WIDTH_CLASSES: Partial<Record<FieldInputKind, string>> = { lines: 'sm:col-span-6', address: 'sm:col-span-6' };

interface RecordDetailsProps<Values extends FormValues, Output, Stored> {
  definition: FormDefinition<Values, Output, Stored>;
  /** May be incomplete, such as a cached list row. Missing fields are left out. */
  record: Partial<Stored>;
  /** Fields that the page already shows elsewhere. */
  omit?: readonly (keyof Values & string)[];
  children?: ReactNode;
}

/** Read-only view of a record, with its form's labels. Phone numbers and addresses become links; empty fields are left out. */
export function RecordDetails<Values extends FormValues, Output, Stored>({
  definition,
  record,
  omit,
  children,
}: RecordDetailsProps<Values, Output, Stored>) {
  const values = definition.toValues(record as Stored);
  const names = definition.names.filter((name) => !omit?.includes(name) && !definition.isHidden(name, values) && values[name] !== '');
  return (
    <div className="md:rounded-card md:bg-surface md:p-5 md:shadow-card">
      <dl className="grid gap-x-5 gap-y-4 sm:grid-cols-6">
        {names.map((name) => {
          const field = definition.fields[name];
          return (
            <div
              key={name}
              className={classNames(
                'min-w-0',
                WIDTH_CLASSES[field.input ?? 'text'] ?? (field.width === 'third' ? 'sm:col-span-2' : 'sm:col-span-3'),
              )}
            >
              <dt className="text-sm text-ink-3">{field.readOnlyLabel?.(values) ?? field.label}</dt>
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

function DetailValue({ field: { input, choices }, value = '' }: { field: AnyFormField; value: FormValue | undefined }) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return value.length;
  if (input === 'phone' || input === 'email' || input === 'address') return <ContactLink kind={input} text={value} />;
  return choices?.find((choice) => choice.value === value)?.label ?? value;
}
