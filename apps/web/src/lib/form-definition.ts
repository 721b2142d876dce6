import { z } from 'zod';
import type { Choice } from '../ui/select-field.tsx';
import type { Difference, FormRow, FormValue, FormValues } from './merge-values.ts';

type ValueOf<Input> =
  NonNullable<Input> extends readonly (infer Row)[] ? { [Field in keyof Row]-?: ValueOf<Row[Field]> }[] : NonNullable<Input>;

/** What the inputs of a form hold: as its schema takes it, but text where something is absent. */
type ValuesOf<Schema extends z.ZodObject> = { [Field in keyof z.input<Schema>]-?: ValueOf<z.input<Schema>[Field]> };
type FormValuesOf<Schema extends z.ZodObject> = ValuesOf<Schema> extends infer Values extends FormValues ? Values : never;

/** How a field is typed; without one it is a line of text, or a checkbox for yes or no. */
export type FieldInput =
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
  /** Its label where it is shown to read, if that is another one. */
  readonly readLabel?: (values: Values) => string;
  readonly input?: FieldInput;
  readonly hint?: string | ((values: Values) => string | undefined);
  /** Without it a text that its schema lets be empty is marked as optional. */
  readonly optional?: boolean;
  /** How much of the row it takes on a wide screen. */
  readonly width?: 'full' | 'half' | 'third';
  readonly choices?: readonly Choice[];
  /** What a new record starts from; nothing without it. A stored record that has no value shows none. */
  readonly initial?: Value;
  /** A new record does not ask for it. */
  readonly onlyOnEdit?: boolean;
  /** A hidden field is not checked, and saved as blank. */
  readonly hiddenWhen?: (values: Values) => boolean;
  /** Saved as it is while it is hidden; what is wrong gives way to `initial`. */
  readonly keepHidden?: boolean;
  /** For a list: the fields of its rows, edited with `useFormRows`. */
  readonly rows?: Value extends readonly (infer Row)[] ? { readonly [Field in Exclude<keyof Row, 'id'>]: FormField<Row[Field]> } : never;
}

type FormFields<Values> = { readonly [Field in keyof Values]: FormField<Values[Field], Values> };

/** What a definition knows of a field, whatever its form. */
export interface AnyField extends Omit<FormField<FormValue, FormValues>, 'rows'> {
  readonly rows?: Readonly<Record<string, AnyField>>;
}
type AnyFields = Readonly<Record<string, AnyField>>;

/** A field with what its schema says about it. */
interface KnownField extends AnyField {
  readonly rows?: Readonly<Record<string, KnownField>>;
  /** What stands for no value in a form: empty text, no rows, or an unticked box. */
  readonly blank: FormValue;
  readonly acceptsNull: boolean;
}

interface FormOptions<Schema extends z.ZodObject, Stored> {
  readonly schema: Schema;
  /** In the order the form shows them. */
  readonly fields: FormFields<ValuesOf<Schema>>;
  /** The stored record under the names of the fields, all of them: a field missing here would be saved as empty. Null becomes blank. */
  readonly from: (stored: Stored) => { readonly [Field in keyof ValuesOf<Schema>]: unknown };
}

export interface FormDefinition<Values extends FormValues, Output, Stored> {
  readonly names: readonly (keyof Values & string)[];
  readonly fields: Readonly<Record<keyof Values & string, AnyField>>;
  /** What a new record starts from. */
  readonly initial: Values;
  readonly valuesOf: (stored: Stored) => Values;
  /** Checks only what shows, and turns what was typed into what is sent. */
  readonly schema: z.ZodType<Output, Values>;
  readonly isHidden: (name: keyof Values & string, values: Values) => boolean;
  readonly hint: (name: keyof Values & string, values: Values) => string | undefined;
  /** Without what hidden fields hold. */
  readonly shown: (values: Values) => Values;
}

/** Everything a form needs, from the contract's schema and one description of its fields. */
export function defineForm<Schema extends z.ZodObject, Stored>(options: FormOptions<Schema, Stored>) {
  type Values = FormValuesOf<Schema>;
  type Name = keyof Values & string;
  const shape: Shape = options.schema.shape;
  const described: object = options.fields;
  const fields = withDefaults(described as AnyFields, shape) as Record<Name, KnownField>;
  const names = Object.keys(fields) as Name[];
  const isHidden = (name: Name, values: Values) => fields[name].hiddenWhen?.(values) ?? false;
  const hiddenValue = (name: Name, value: FormValue | undefined) => {
    const { keepHidden, initial, blank } = fields[name];
    if (!keepHidden) return blank;
    return shape[name]?.safeParse(value).success ? value : (initial ?? blank);
  };
  const shown = (values: Values): Values => {
    const hidden = names.filter((name) => isHidden(name, values));
    return { ...values, ...Object.fromEntries(hidden.map((name) => [name, hiddenValue(name, values[name])])) };
  };
  const definition: FormDefinition<Values, z.output<Schema>, Stored> = {
    names,
    fields,
    initial: Object.fromEntries(names.map((name) => [name, fields[name].initial ?? fields[name].blank])) as Values,
    valuesOf: (stored) => blanked(options.from(stored), fields) as Values,
    schema: z.custom<Values>().transform((values, { addIssue }) => {
      const { data, error } = options.schema.safeParse(toInput(shown(values), fields));
      for (const { path, message } of error?.issues ?? []) addIssue({ code: 'custom', path: [...path], message });
      return error ? z.NEVER : data;
    }),
    isHidden,
    hint: (name, values) => {
      const { hint } = fields[name];
      return typeof hint === 'function' ? hint(values) : hint;
    },
    shown,
  };
  return definition;
}

type Shape = Readonly<Record<string, z.ZodType>>;
type KnownFields = Readonly<Record<string, KnownField>>;
type Cells = Readonly<Record<string, unknown>>;

/** What is stored as null is blank in a form, also in the rows of a list. */
function blanked(record: Cells, fields: KnownFields): Cells {
  const values = Object.entries(fields).map(([name, { rows, blank }]): [string, unknown] => {
    const value = record[name] ?? blank;
    return [name, rows ? (value as readonly Cells[]).map((row) => ({ ...row, ...blanked(row, rows) })) : value];
  });
  return Object.fromEntries(values);
}

/** The other way round: blank text is sent as null where the schema takes null. */
function toInput(values: Cells, fields: KnownFields): Cells {
  const input = Object.entries(values).map(([name, value]): [string, unknown] => {
    const { rows, acceptsNull = false } = fields[name] ?? {};
    if (rows) return [name, (value as readonly Cells[]).map((row) => toInput(row, rows))];
    return [name, value === '' && acceptsNull ? null : value];
  });
  return Object.fromEntries(input);
}

function withDefaults(fields: AnyFields, shape: Shape): KnownFields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withDefault(field, shape[name])]));
}

function withDefault({ rows, ...field }: AnyField, schema: z.ZodType | undefined): KnownField {
  const isFlag = schema?.safeParse(false).success ?? false;
  const acceptsNull = schema?.safeParse(null).success ?? false;
  const input = field.input ?? (isFlag ? 'checkbox' : 'text');
  const isTyped = ['text', 'lines', 'email', 'phone', 'address', 'decimal'].includes(input);
  const optional = field.optional ?? (isTyped && acceptsNull);
  const known = { ...field, input, optional, acceptsNull };
  return rows ? { ...known, blank: [], rows: withDefaults(rows, rowShape(schema)) } : { ...known, blank: isFlag ? false : '' };
}

/** The fields of the rows of a list, also of a list that is optional or has a default. */
function rowShape(schema: z.ZodType | undefined): Shape {
  if (schema instanceof z.ZodArray) return schema.element instanceof z.ZodObject ? schema.element.shape : {};
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  const inner: unknown = isWrapped ? schema.unwrap() : undefined;
  return inner instanceof z.ZodType ? rowShape(inner) : {};
}

export interface DifferenceWords {
  readonly label: string;
  readonly yours: string;
  readonly theirs: string;
  readonly contested: boolean;
}

/** A difference in a person's words. `choices`: of fields whose choices are known only while the form shows. */
export function differenceWords(
  { path: [name = '', ...inside], yours, theirs, contested }: Difference,
  fields: Readonly<Record<string, AnyField>>,
  choices: Readonly<Record<string, readonly Choice[]>> = {},
): DifferenceWords {
  const field = fields[name];
  const label = field?.label ?? name;
  const [, cell, ...deeper] = inside;
  if (field?.rows && cell !== undefined) {
    const found = differenceWords({ path: [cell, ...deeper], yours, theirs, contested }, field.rows, choices);
    return { ...found, label: `${label}: ${found.label}` };
  }
  const words = (value: Difference['yours'], other: Difference['yours']) =>
    value === undefined ? `${rowName(other, field)} removed`.trim() : valueWords(value, field, choices[name]);
  return { label, yours: words(yours, theirs), theirs: words(theirs, yours), contested };
}

const isRow = (value: Difference['yours']): value is FormRow => typeof value === 'object' && !Array.isArray(value);

/** By its first field, which is what a person knows it by. */
function rowName(value: Difference['yours'], field: AnyField | undefined): string {
  const [first] = Object.entries(field?.rows ?? {});
  return first && isRow(value) ? valueWords(value[first[0]] ?? '', first[1], undefined) : '';
}

function valueWords(value: FormValue | FormRow, field: AnyField | undefined, choices: readonly Choice[] | undefined): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string')
    return [...(choices ?? []), ...(field?.choices ?? [])].find((choice) => choice.value === value)?.label ?? value;
  if (!isRow(value)) return `${value.length}`;
  return Object.entries(field?.rows ?? {})
    .map(([name, cell]) => valueWords(value[name] ?? '', cell, choices))
    .filter(Boolean)
    .join(', ');
}
