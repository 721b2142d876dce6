export interface Random {
  /** From 0 to less than 1. */
  next(): number;
  /** A whole number from 0 to less than the limit. */
  integerBelow(limit: number): number;
  pick<Value>(list: readonly Value[]): Value;
  /** Picks the first items far more often than the last, as names are distributed in real life. */
  pickSkewed(list: readonly string[]): string;
}

/** Generates the same numbers for the same seed on every machine (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integerBelow = (limit: number) => Math.floor(next() * limit);
  const at = <Value>(list: readonly Value[], index: number): Value => {
    const value = list[index];
    if (value === undefined) throw new Error('There is nothing to pick from');
    return value;
  };
  return {
    next,
    integerBelow,
    pick: (list) => at(list, integerBelow(list.length)),
    pickSkewed: (list) => at(list, Math.floor(next() ** 3 * list.length)),
  };
}
