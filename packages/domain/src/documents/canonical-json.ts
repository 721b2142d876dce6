/** JSON values with exactly one text form. Fractions are rejected because serializers format them differently. */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue | undefined };

/** Serializes equal values to identical text, with sorted keys and no spaces, so that comparing hashes compares values. */
export function toCanonicalJson(value: CanonicalValue): string {
  if (Array.isArray(value)) return `[${value.map((part: CanonicalValue) => toCanonicalJson(part)).join(',')}]`;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`Not a whole number: ${value}`);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value)
    .filter((entry): entry is [string, CanonicalValue] => entry[1] !== undefined)
    .toSorted(([name], [other]) => (name < other ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${toCanonicalJson(part)}`);
  return `{${parts.join(',')}}`;
}
