/** What can be frozen: no numbers with fractions, whose text depends on who writes it. */
export type Frozen = string | number | boolean | null | readonly Frozen[] | { readonly [name: string]: Frozen | undefined };

/** One text for one value: names in order, no spaces, nothing left to the order in which an object was made. Its hash proves the value. */
export function canonicalJson(value: Frozen): string {
  if (Array.isArray(value)) return `[${value.map((part: Frozen) => canonicalJson(part)).join(',')}]`;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`Only whole numbers can be frozen, not ${value}`);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value)
    .filter((entry): entry is [string, Frozen] => entry[1] !== undefined)
    .toSorted(([name], [other]) => (name < other ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`);
  return `{${parts.join(',')}}`;
}
