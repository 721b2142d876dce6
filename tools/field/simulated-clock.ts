/**
 * The time of a simulated day, shared by all threads. It passes like real time, and jumps ahead between the things that people do. Each
 * browser's clock can be wrong.
 */
export type SharedClock = SharedArrayBuffer;

export const createSharedClock = (browserCount: number): SharedClock =>
  new SharedArrayBuffer((browserCount + 1) * Float64Array.BYTES_PER_ELEMENT);

const realNow = Date.now.bind(Date);

/** Returns the right time, in epoch milliseconds. */
export const readClock = (clock: SharedClock) => realNow() + (new Float64Array(clock)[0] ?? 0);

export const readBrowserClock = (clock: SharedClock, browser: number) => readClock(clock) + (new Float64Array(clock)[browser + 1] ?? 0);

export function jumpAhead(clock: SharedClock, ms: number): number {
  const offsets = new Float64Array(clock);
  const ahead = (offsets[0] ?? 0) + ms;
  offsets[0] = ahead;
  return ahead;
}

export function setBrowserClock(clock: SharedClock, browser: number, aheadMs: number): void {
  new Float64Array(clock)[browser + 1] = aheadMs;
}
