/** Limits how much may run at once: in total, and per key such as a network or a company. */
export interface ConcurrencyLimit {
  /** Null when the limit is reached; otherwise a release function, which is safe to call more than once. */
  enter(key: string): (() => void) | null;
}

/** Counts per process, because it protects per-process resources such as memory and connections. */
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
