/** A row of a list inside a form, such as a line item. Its id is made where the row is added and never changes. */
export interface FormRow {
  readonly id: string;
  readonly [field: string]: FormValue;
}

export type FormValue = string | boolean | readonly FormRow[];
export type FormValues = Readonly<Record<string, FormValue>>;

/** What merging must know of a field: whether its text is a number, and for a list the fields of its rows. */
export interface MergeField {
  readonly input?: string;
  readonly rows?: MergeFields;
}
export type MergeFields = Readonly<Record<string, MergeField>>;

/** Something that was saved by somebody else and differs from what is typed. */
export interface Difference {
  /** The field; inside a list: the list, the row's id, then the row's field. */
  readonly path: readonly string[];
  /** Undefined: the row is not there. */
  readonly yours: FormValue | FormRow | undefined;
  readonly theirs: FormValue | FormRow | undefined;
  /** Both changed it, so one of the two must give way; otherwise only they did. */
  readonly contested: boolean;
}

const isRows = (value: FormValue | undefined): value is readonly FormRow[] => Array.isArray(value);
const rowsOf = (value: FormValue | undefined): readonly FormRow[] => (isRows(value) ? value : []);
const byId = (rows: readonly FormRow[]) => new Map(rows.map((row) => [row.id, row]));

/** Spaces around a text and zeros behind a number are no change: the server stores '45' as '45.00'. */
function plain(value: FormValue | undefined, field: MergeField | undefined): FormValue | undefined {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return field?.input === 'decimal' && /^\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

function isSameValue(one: FormValue | undefined, other: FormValue | undefined, field: MergeField | undefined): boolean {
  if (!isRows(one) || !isRows(other)) return plain(one, field) === plain(other, field);
  const others = byId(other);
  return (
    one.length === other.length &&
    one.every((row, index) => row.id === other[index]?.id && isSameValues(row, others.get(row.id), field?.rows ?? {}))
  );
}

/** Whether saving `one` over `other` would change nothing. */
export function isSameValues(one: FormValues | undefined, other: FormValues | undefined, fields: MergeFields): boolean {
  return Object.keys(fields).every((name) => isSameValue(one?.[name], other?.[name], fields[name]));
}

/** Yours where you typed, theirs everywhere else: saving over somebody never undoes what you did not touch. */
export function mergeValues<Values extends FormValues>(
  base: FormValues | undefined,
  yours: Values,
  theirs: Values,
  fields: MergeFields,
): Values {
  const merged = Object.entries(fields).map(([name, field]): [string, FormValue | undefined] => {
    const [was, mine, other] = [base?.[name], yours[name], theirs[name]];
    if (field.rows) return [name, mergeRows(rowsOf(was), rowsOf(mine), rowsOf(other), field.rows)];
    return [name, isSameValue(mine, was, field) ? other : mine];
  });
  return { ...theirs, ...Object.fromEntries(merged) };
}

function mergeRows(base: readonly FormRow[], yours: readonly FormRow[], theirs: readonly FormRow[], fields: MergeFields): FormRow[] {
  const [inBase, mine, other] = [byId(base), byId(yours), byId(theirs)];
  const mergeRow = (id: string): FormRow | undefined => {
    const [was, my, their] = [inBase.get(id), mine.get(id), other.get(id)];
    if (my && their) return mergeValues(was, my, their, fields);
    // They removed what you changed: it stays. What you removed is gone, what one of you added is there.
    if (my) return was && isSameValues(my, was, fields) ? undefined : my;
    return was ? undefined : their;
  };
  const order = isReordered(base, yours) ? mergeOrder(yours, theirs) : mergeOrder(theirs, yours);
  return order.map(mergeRow).filter((row) => row !== undefined);
}

/** Whether the rows that both have stand in another order. */
function isReordered(before: readonly FormRow[], after: readonly FormRow[]): boolean {
  const [earlier, later] = [byId(before), byId(after)];
  const kept = before.filter(({ id }) => later.has(id));
  return after.filter(({ id }) => earlier.has(id)).some(({ id }, index) => kept[index]?.id !== id);
}

/** The ids in the order of `lead`. A row that only `others` has follows the row it follows there. */
function mergeOrder(lead: readonly FormRow[], others: readonly FormRow[]): string[] {
  const ids = lead.map(({ id }) => id);
  const known = new Set(ids);
  others.forEach(({ id }, index) => {
    if (known.has(id)) return;
    const before = others[index - 1]?.id;
    ids.splice(before === undefined ? 0 : ids.indexOf(before) + 1, 0, id);
    known.add(id);
  });
  return ids;
}

/** What somebody else saved since `base`, as far as it differs from what is typed. */
export function differences(base: FormValues | undefined, yours: FormValues, theirs: FormValues, fields: MergeFields): Difference[] {
  return Object.entries(fields).flatMap(([name, field]): Difference[] => {
    const [was, mine, other] = [base?.[name], yours[name], theirs[name]];
    if (field.rows) {
      return rowDifferences(rowsOf(was), rowsOf(mine), rowsOf(other), field.rows).map((found) => ({
        ...found,
        path: [name, ...found.path],
      }));
    }
    if (isSameValue(other, was, field) || isSameValue(other, mine, field)) return [];
    return [{ path: [name], yours: plain(mine, undefined), theirs: other, contested: !isSameValue(mine, was, field) }];
  });
}

function rowDifferences(
  base: readonly FormRow[],
  yours: readonly FormRow[],
  theirs: readonly FormRow[],
  fields: MergeFields,
): Difference[] {
  const [inBase, mine, other] = [byId(base), byId(yours), byId(theirs)];
  const ids = new Set([...base, ...theirs].map(({ id }) => id));
  return [...ids].flatMap((id): Difference[] => {
    const [was, my, their] = [inBase.get(id), mine.get(id), other.get(id)];
    if (my && their) return differences(was, my, their, fields).map((found) => ({ ...found, path: [id, ...found.path] }));
    if (my) return [{ path: [id], yours: my, theirs: undefined, contested: !isSameValues(my, was, fields) }];
    if (!their || (was && isSameValues(their, was, fields))) return [];
    return [{ path: [id], yours: undefined, theirs: their, contested: was !== undefined }];
  });
}
