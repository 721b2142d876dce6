import { z } from 'zod';
import type { Choice } from '../ui/select-field.tsx';
import type { FormDifference, FormRow, FormValue, FormValues } from './merge-values.ts';

type FieldValueOf<Input> =
  NonNullable<Input> extends readonly (infer Row)[] ? { [Field in keyof Row]-?: FieldValueOf<Row[Field]> }[] : NonNullable<Input>;

/** A form's values: the schema's input types without null and undefined, which a form represents as a blank value. */
type ValuesOf<Schema extends z.ZodObject> = { [Field in keyof z.input<Schema>]-?: FieldValueOf<z.input<Schema>[Field]> };
type FormValuesOf<Schema extends z.ZodObject> = ValuesOf<Schema> extends infer Values extends FormValues ? Values : never;

/** Kind of control. Defaults to a checkbox for booleans and a single-line text field for everything else. */
export type FieldInputKind =
  | 'text'
  | 'lines'
  | 'email'
  | 'phone'
  | 'address'
  | 'decimal'
  | 'select'
  | 'radio'
  | 'cards'
  | 'colors'
  | 'checkbox';

export interface FormField<Value = unknown, Values = never> {
  readonly label: string;
  /** Label for the read-only view, if different from `label`. */
  readonly readOnlyLabel?: (values: Values) => string;
  readonly input?: FieldInputKind;
  readonly hint?: string | ((values: Values) => string | undefined);
  /** Defaults to true for text that the schema allows to be empty. */
  readonly optional?: boolean;
  /** Fraction of the row that the field takes on a wide screen. */
  readonly width?: 'full' | 'half' | 'third';
  readonly choices?: readonly Choice[];
  /** Default value for new records only. A stored record without a value shows an empty field. */
  readonly initial?: Value;
  /** True if the field is hidden while the record is new. */
  readonly editOnly?: boolean;
  /** Returns true if the field is hidden. Hidden fields are not validated and are saved as blank. */
  readonly hiddenWhen?: (values: Values) => boolean;
  /** True if the field is saved even while hidden. `initial` then replaces an invalid value. */
  readonly submitWhenHidden?: boolean;
  /** Fields of each row, if the field is a list. Rows are edited with `useFormRows`. */
  readonly rows?: Value extends readonly (infer Row)[] ? { readonly [Field in Exclude<keyof Row, 'id'>]: FormField<Row[Field]> } : never;
}

type FormFields<Values> = { readonly [Field in keyof Values]: FormField<Values[Field], Values> };

/** A form field without the types of a particular form, for code that handles any form. */
export interface AnyFormField extends Omit<FormField<FormValue, FormValues>, 'rows'> {
  readonly rows?: Readonly<Record<string, AnyFormField>>;
}
type AnyFields = Readonly<Record<string, AnyFormField>>;

/** A form field with the details derived from its schema. */
interface ResolvedField extends AnyFormField {
  readonly rows?: Readonly<Record<string, ResolvedField>>;
  /** The form value that means "no value": an empty string, no rows, or an unchecked box. */
  readonly blank: FormValue;
  readonly acceptsNull: boolean;
}

interface FormOptions<Schema extends z.ZodObject, Stored> {
  readonly schema: Schema;
  /** Fields in display order. */
  readonly fields: FormFields<ValuesOf<Schema>>;
  /** Maps a stored record to form values; null becomes blank. Must return every field, because a missing field is saved as empty. */
  readonly fromRecord: (stored: Stored) => { readonly [Field in keyof ValuesOf<Schema>]: unknown };
}

export interface FormDefinition<Values extends FormValues, Output, Stored> {
  readonly names: readonly (keyof Values & string)[];
  readonly fields: Readonly<Record<keyof Values & string, AnyFormField>>;
  readonly initial: Values;
  readonly toValues: (stored: Stored) => Values;
  /** Validates the visible fields and converts form values into the request input. */
  readonly schema: z.ZodType<Output, Values>;
  readonly isHidden: (name: keyof Values & string, values: Values) => boolean;
  readonly getHint: (name: keyof Values & string, values: Values) => string | undefined;
  /** Returns a copy in which hidden fields are blank, except those with `submitWhenHidden`. */
  readonly withoutHidden: (values: Values) => Values;
}

/** Builds a form definition from a contract schema and a description of the schema's fields. */
export function defineForm<Schema extends z.ZodObject, Stored>(options: FormOptions<Schema, Stored>) {
  type Values = FormValuesOf<Schema>;
  type Name = keyof Values & string;
  const shape: Shape = options.schema.shape;
  const fieldOptions: object = options.fields;
  const fields = resolveFields(fieldOptions as AnyFields, shape) as Record<Name, ResolvedField>;
  const names = Object.keys(fields) as Name[];
  const isHidden = (name: Name, values: Values) => fields[name].hiddenWhen?.(values) ?? false;
  const getHiddenValue = (name: Name, value: FormValue | undefined) => {
    const { submitWhenHidden, initial, blank } = fields[name];
    if (!submitWhenHidden) return blank;
    return shape[name]?.safeParse(value).success ? value : (initial ?? blank);
  };
  const withoutHidden = (values: Values): Values => {
    const hidden = names.filter((name) => isHidden(name, values));
    return { ...values, ...Object.fromEntries(hidden.map((name) => [name, getHiddenValue(name, values[name])])) };
  };
  const definition: FormDefinition<Values, z.output<Schema>, Stored> = {
    names,
    fields,
    initial: Object.fromEntries(names.map((name) => [name, fields[name].initial ?? fields[name].blank])) as Values,
    toValues: (stored) => withBlanks(options.fromRecord(stored), fields) as Values,
    schema: z.custom<Values>().transform((values, { addIssue }) => {
      const { data, error } = options.schema.safeParse(toInput(withoutHidden(values), fields));
      for (const { path, message } of error?.issues ?? []) addIssue({ code: 'custom', path: [...path], message });
      return error ? z.NEVER : data;
    }),
    isHidden,
    getHint: (name, values) => {
      const { hint } = fields[name];
      return typeof hint === 'function' ? hint(values) : hint;
    },
    withoutHidden,
  };
  return definition;
}

type Shape = Readonly<Record<string, z.ZodType>>;
type ResolvedFields = Readonly<Record<string, ResolvedField>>;
type RawValues = Readonly<Record<string, unknown>>;

/** Replaces stored nulls with blank form values, including those in list rows. */
function withBlanks(record: RawValues, fields: ResolvedFields): RawValues {
  const values = Object.entries(fields).map(([name, { rows, blank }]): [string, unknown] => {
    const value = record[name] ?? blank;
    return [name, rows ? (value as readonly RawValues[]).map((row) => ({ ...row, ...withBlanks(row, rows) })) : value];
  });
  return Object.fromEntries(values);
}

/** Converts form values to request input, reversing `withBlanks`. Blank text becomes null where the schema accepts null. */
function toInput(values: RawValues, fields: ResolvedFields): RawValues {
  const input = Object.entries(values).map(([name, value]): [string, unknown] => {
    const { rows, acceptsNull = false } = fields[name] ?? {};
    if (rows) return [name, (value as readonly RawValues[]).map((row) => toInput(row, rows))];
    return [name, value === '' && acceptsNull ? null : value];
  });
  return Object.fromEntries(input);
}

function resolveFields(fields: AnyFields, shape: Shape): ResolvedFields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, resolveField(field, shape[name])]));
}

function resolveField({ rows, ...field }: AnyFormField, schema: z.ZodType | undefined): ResolvedField {
  const isFlag = schema?.safeParse(false).success ?? false;
  const acceptsNull = schema?.safeParse(null).success ?? false;
  const input = field.input ?? (isFlag ? 'checkbox' : 'text');
  const isTextInput = ['text', 'lines', 'email', 'phone', 'address', 'decimal'].includes(input);
  const optional = field.optional ?? (isTextInput && acceptsNull);
  const resolved = { ...field, input, optional, acceptsNull };
  return rows ? { ...resolved, blank: [], rows: resolveFields(rows, getRowShape(schema)) } : { ...resolved, blank: isFlag ? false : '' };
}

/** Returns the schemas of the fields in a list's rows, unwrapping optional, nullable and default schemas. */
function getRowShape(schema: z.ZodType | undefined): Shape {
  if (schema instanceof z.ZodArray) return schema.element instanceof z.ZodObject ? schema.element.shape : {};
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  const inner: unknown = isWrapped ? schema.unwrap() : undefined;
  return inner instanceof z.ZodType ? getRowShape(inner) : {};
}

export interface FormattedDifference {
  readonly label: string;
  readonly yours: string;
  readonly theirs: string;
  readonly contested: boolean;
}

/** Describes a difference using the form's labels. `choices` adds choices that are loaded at runtime. */
export function formatDifference(
  { path: [name = '', ...inside], yours, theirs, contested }: FormDifference,
  fields: Readonly<Record<string, AnyFormField>>,
  choices: Readonly<Record<string, readonly Choice[]>> = {},
): FormattedDifference {
  const field = fields[name];
  const label = field?.label ?? name;
  const [, cell, ...deeper] = inside;
  if (field?.rows && cell !== undefined) {
    const inner = formatDifference({ path: [cell, ...deeper], yours, theirs, contested }, field.rows, choices);
    return { ...inner, label: `${label}: ${inner.label}` };
  }
  const format = (value: FormDifference['yours'], other: FormDifference['yours']) =>
    value === undefined ? `${formatRowName(other, field)} removed`.trim() : formatValue(value, field, choices[name]);
  return { label, yours: format(yours, theirs), theirs: format(theirs, yours), contested };
}

const isRow = (value: FormDifference['yours']): value is FormRow => typeof value === 'object' && !Array.isArray(value);

/** Names a row after its first field, because people recognize rows by that field. */
function formatRowName(value: FormDifference['yours'], field: AnyFormField | undefined): string {
  const [first] = Object.entries(field?.rows ?? {});
  return first && isRow(value) ? formatValue(value[first[0]] ?? '', first[1], undefined) : '';
}

function formatValue(value: FormValue | FormRow, field: AnyFormField | undefined, choices: readonly Choice[] | undefined): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string')
    return [...(choices ?? []), ...(field?.choices ?? [])].find((choice) => choice.value === value)?.label ?? value;
  if (!isRow(value)) return `${value.length}`;
  return Object.entries(field?.rows ?? {})
    .map(([name, cell]) => formatValue(value[name] ?? '', cell, choices))
    .filter(Boolean)
    .join(', ');
}
