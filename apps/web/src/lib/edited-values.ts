/** What the fields of a form hold: text, and yes or no. */
export type FieldValue = string | boolean;

export interface FieldDifference<Field extends string = string> {
  field: Field;
  yours: FieldValue;
  theirs: FieldValue;
  /** Both changed it, so one of the two must give way; otherwise only they did. */
  contested: boolean;
}

type Values<Field extends string> = Readonly<Record<Field, FieldValue>>;

const trimmed = (value: FieldValue) => (typeof value === 'string' ? value.trim() : value);
const isSame = (one: FieldValue, other: FieldValue) => trimmed(one) === trimmed(other);
const fieldsOf = <Field extends string>(values: Values<Field>) => Object.keys(values) as Field[];

/** What somebody else saved since `base`, as far as it differs from what is typed. */
export function differences<Field extends string>(
  base: Values<Field>,
  yours: Values<Field>,
  theirs: Values<Field>,
): FieldDifference<Field>[] {
  return fieldsOf(theirs)
    .filter((field) => theirs[field] !== base[field] && !isSame(theirs[field], yours[field]))
    .map((field) => ({
      field,
      yours: trimmed(yours[field]),
      theirs: theirs[field],
      contested: !isSame(yours[field], base[field]),
    }));
}

/** Yours where you typed, theirs everywhere else: saving over somebody never undoes what you did not touch. */
export function merged<Field extends string, Theirs extends Values<Field>>(base: Values<Field>, yours: Theirs, theirs: Theirs): Theirs {
  const own = fieldsOf(theirs).filter((field) => !isSame(yours[field], base[field]));
  return { ...theirs, ...Object.fromEntries(own.map((field) => [field, yours[field]])) };
}

/** Whether a save of `typed` would change nothing: also the sign that a save whose answer was lost did arrive. */
export function isSavedAs<Field extends string>(typed: Values<Field>, saved: Values<Field>): boolean {
  return fieldsOf(saved).every((field) => isSame(typed[field], saved[field]));
}
