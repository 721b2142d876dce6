/** A row in a form's list, such as a line item. Its id is created with the row and never changes. */
export interface FormRow {
  readonly id: string;
  readonly [field: string]: FormValue;
}

export type FormValue = string | boolean | readonly FormRow[];
export type FormValues = Readonly<Record<string, FormValue>>;

/** The parts of a field definition that merging needs: the kind of input, and the fields of each row if the field is a list. */
export interface MergeField {
  readonly input?: string;
  readonly rows?: MergeFields;
}
export type MergeFields = Readonly<Record<string, MergeField>>;

/** A value that someone else saved and that differs from the form's value. */
export interface FormDifference {
  /** The field name. For a field in a list: list name, row id, field name. */
  readonly path: readonly string[];
  /** `yours` or `theirs` is undefined if the row doesn't exist in that version. */
  readonly yours: FormValue | FormRow | undefined;
  readonly theirs: FormValue | FormRow | undefined;
  /** True if both people changed the value; false if only the other person did. */
  readonly contested: boolean;
}

const isRows = (value: FormValue | undefined): value is readonly FormRow[] => Array.isArray(value);
const getRows = (value: FormValue | undefined): readonly FormRow[] => (isRows(value) ? value : []);
const indexById = (rows: readonly FormRow[]) => new Map(rows.map((row) => [row.id, row]));

/** Removes surrounding spaces, and trailing zeros from decimals, because the server stores '45' as '45.00'. */
function normalizeValue(value: FormValue | undefined, field: MergeField | undefined): FormValue | undefined {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return field?.input === 'decimal' && /^\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

function isEqualValue(one: FormValue | undefined, other: FormValue | undefined, field: MergeField | undefined): boolean {
  if (!isRows(one) || !isRows(other)) return normalizeValue(one, field) === normalizeValue(other, field);
  const others = indexById(other);
  return (
    one.length === other.length &&
    one.every((row, index) => row.id === other[index]?.id && areValuesEqual(row, others.get(row.id), field?.rows ?? {}))
  );
}

/** Returns true if saving `one` over `other` would change nothing. */
export function areValuesEqual(one: FormValues | undefined, other: FormValues | undefined, fields: MergeFields): boolean {
  return Object.keys(fields).every((name) => isEqualValue(one?.[name], other?.[name], fields[name]));
}

/** Three-way merge: keeps your edits and takes the other person's values in all other fields, so that saving never undoes their changes. */
export function mergeValues<Values extends FormValues>(
  base: FormValues | undefined,
  yours: Values,
  theirs: Values,
  fields: MergeFields,
): Values {
  const merged = Object.entries(fields).map(([name, field]): [string, FormValue | undefined] => {
    const [was, mine, other] = [base?.[name], yours[name], theirs[name]];
    if (field.rows) return [name, mergeRows(getRows(was), getRows(mine), getRows(other), field.rows)];
    return [name, isEqualValue(mine, was, field) ? other : mine];
  });
  return { ...theirs, ...Object.fromEntries(merged) };
}

function mergeRows(base: readonly FormRow[], yours: readonly FormRow[], theirs: readonly FormRow[], fields: MergeFields): FormRow[] {
  const [inBase, mine, other] = [indexById(base), indexById(yours), indexById(theirs)];
  const mergeRow = (id: string): FormRow | undefined => {
    const [was, my, their] = [inBase.get(id), mine.get(id), other.get(id)];
    if (my && their) return mergeValues(was, my, their, fields);
    // A row you edited survives if the other person deleted it. Rows you deleted stay deleted, and rows either of you added stay.
    if (my) return was && areValuesEqual(my, was, fields) ? undefined : my;
    return was ? undefined : their;
  };
  const order = isReordered(base, yours) ? mergeOrder(yours, theirs) : mergeOrder(theirs, yours);
  return order.map(mergeRow).filter((row) => row !== undefined);
}

/** Returns true if the rows that exist in both versions are in a different order. */
function isReordered(before: readonly FormRow[], after: readonly FormRow[]): boolean {
  const [earlier, later] = [indexById(before), indexById(after)];
  const shared = before.filter(({ id }) => later.has(id));
  return after.filter(({ id }) => earlier.has(id)).some(({ id }, index) => shared[index]?.id !== id);
}

/** Returns all row ids in the order of `lead`. A row that exists only in `others` follows the row that precedes it in `others`. */
function mergeOrder(lead: readonly FormRow[], others: readonly FormRow[]): string[] {
  const ids = lead.map(({ id }) => id);
  const seen = new Set(ids);
  others.forEach(({ id }, index) => {
    if (seen.has(id)) return;
    const before = others[index - 1]?.id;
    ids.splice(before === undefined ? 0 : ids.indexOf(before) + 1, 0, id);
    seen.add(id);
  });
  return ids;
}

/** Lists the values that someone else changed since `base` and that differ from the form's. */
export function getDifferences(base: FormValues | undefined, yours: FormValues, theirs: FormValues, fields: MergeFields): FormDifference[] {
  return Object.entries(fields).flatMap(([name, field]): FormDifference[] => {
    const [was, mine, other] = [base?.[name], yours[name], theirs[name]];
    if (field.rows) {
      return getRowDifferences(getRows(was), getRows(mine), getRows(other), field.rows).map((found) => ({
        ...found,
        path: [name, ...found.path],
      }));
    }
    if (isEqualValue(other, was, field) || isEqualValue(other, mine, field)) return [];
    return [{ path: [name], yours: normalizeValue(mine, undefined), theirs: other, contested: !isEqualValue(mine, was, field) }];
  });
}

function getRowDifferences(
  base: readonly FormRow[],
  yours: readonly FormRow[],
  theirs: readonly FormRow[],
  fields: MergeFields,
): FormDifference[] {
  const [inBase, mine, other] = [indexById(base), indexById(yours), indexById(theirs)];
  const ids = new Set([...base, ...theirs].map(({ id }) => id));
  return [...ids].flatMap((id): FormDifference[] => {
    const [was, my, their] = [inBase.get(id), mine.get(id), other.get(id)];
    if (my && their) return getDifferences(was, my, their, fields).map((found) => ({ ...found, path: [id, ...found.path] }));
    if (my) return [{ path: [id], yours: my, theirs: undefined, contested: !areValuesEqual(my, was, fields) }];
    if (!their || (was && areValuesEqual(their, was, fields))) return [];
    return [{ path: [id], yours: undefined, theirs: their, contested: was !== undefined }];
  });
}
