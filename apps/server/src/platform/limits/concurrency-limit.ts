/** How much may be under way at once: in all, and for each key, such as a network or a company. */
export interface ConcurrencyLimit {
  /** Null when it is too much already; else what to call when it has ended, any number of times. */
  enter(key: string): (() => void) | null;
}

/** Counted in this process alone: it guards what a process has, such as memory and connections. */
export function createConcurrencyLimit(max: { readonly total: number; readonly perKey: number }): ConcurrencyLimit {
  const underWay = new Map<string, number>();
  let total = 0;
  return {
    enter(key) {
      const count = underWay.get(key) ?? 0;
      if (total >= max.total || count >= max.perKey) return null;
      total += 1;
      underWay.set(key, count + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        total -= 1;
        const rest = (underWay.get(key) ?? 0) - 1;
        if (rest > 0) underWay.set(key, rest);
        else underWay.delete(key);
      };
    },
  };
}
