export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number below the limit. */
  below(limit: number): number;
  oneOf(list: readonly string[]): string;
  /** The first of the list are by far the most frequent, as in a telephone book. */
  mostlyFirst(list: readonly string[]): string;
}

/** The same numbers for the same seed, on every machine (mulberry32). */
export function seeded(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const at = (list: readonly string[], index: number) => list[index] ?? '';
  return {
    next,
    below,
    oneOf: (list) => at(list, below(list.length)),
    mostlyFirst: (list) => at(list, Math.floor(next() ** 3 * list.length)),
  };
}
