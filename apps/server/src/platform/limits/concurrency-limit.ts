/** Limits concurrent operations, both in total and per key, such as a network or a company. */
export interface ConcurrencyLimit {
  /** Returns a function that releases the slot and is safe to call twice, or null if the limit is reached. */
  tryAcquire(key: string): (() => void) | null;
}

/** Creates a limit within this process only, because it protects per-process resources such as memory and connections. */
export function createConcurrencyLimit(max: { readonly total: number; readonly perKey: number }): ConcurrencyLimit {
  const active = new Map<string, number>();
  let total = 0;
  return {
    tryAcquire(key) {
      const count = active.get(key) ?? 0;
      if (total >= max.total || count >= max.perKey) return null;
      total += 1;
      active.set(key, count + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        total -= 1;
        const remaining = (active.get(key) ?? 0) - 1;
        if (remaining > 0) active.set(key, remaining);
        else active.delete(key);
      };
    },
  };
}
