export interface RandomGenerator {
  /** Returns a number that is at least 0 and less than 1. */
  next(): number;
  /** Returns an integer that is at least 0 and less than `limit`. */
  integerBelow(limit: number): number;
  pick<Value>(list: readonly Value[]): Value;
  /** Picks items at the start of the list far more often than those at the end, like the distribution of real names. */
  pickSkewed(list: readonly string[]): string;
}

/** Creates a seeded generator (mulberry32), which gives the same numbers on every machine. */
export function createRandomGenerator(seed: number): RandomGenerator {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integerBelow = (limit: number) => Math.floor(next() * limit);
  const requireItem = <Value>(list: readonly Value[], index: number): Value => {
    const value = list[index];
    if (value === undefined) throw new Error('Cannot pick from an empty list');
    return value;
  };
  return {
    next,
    integerBelow,
    pick: (list) => requireItem(list, integerBelow(list.length)),
    pickSkewed: (list) => requireItem(list, Math.floor(next() ** 3 * list.length)),
  };
}
