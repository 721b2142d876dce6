import type { JobTimer } from '@callout/contract/jobs';
import { calculateElapsedSeconds } from '@callout/domain/timer/elapsed-time';
import { useSyncExternalStore } from 'react';

/** How far the server's clock is ahead of the page's monotonic clock, which ignores changes to the device's clock. */
interface ClockOffset {
  readonly ms: number;
  /** Round-trip time of the request that measured the offset. The offset is wrong by at most half of it. */
  readonly roundTripMs: number;
}

let offset: ClockOffset | null = null;

export const monotonicNow = () => performance.now();

/**
 * Updates the offset from a response to a request sent at `sentAt` (a `monotonicNow()` value). An offset that fits the response is replaced
 * only after a faster round trip, so that slow responses don't make timers jump. After the device sleeps, the offset no longer fits.
 */
export function syncServerClock(serverTime: string, sentAt: number): void {
  const receivedAt = monotonicNow();
  const [serverMs, roundTripMs] = [Date.parse(serverTime), receivedAt - sentAt];
  const isConsistent = offset !== null && offset.ms >= serverMs - receivedAt && offset.ms <= serverMs - sentAt;
  if (offset === null || !isConsistent || roundTripMs < offset.roundTripMs) {
    offset = { ms: serverMs - (sentAt + receivedAt) / 2, roundTripMs };
    updateDisplayedSecond();
  }
}

/** Returns the milliseconds since 1970 by the server's clock, or by the device's clock until the first response. */
export const getServerTimeMs = () => (offset === null ? Date.now() : monotonicNow() + offset.ms);

/** Returns the server's time, rounded down to whole seconds because time entries are stored that way. */
export const getServerInstant = () => new Date(getServerSecond() * 1000).toISOString();

const getServerSecond = () => Math.floor(getServerTimeMs() / 1000);

/** All timers share one tick, aligned with the server's seconds, so that they never show different times. */
const listeners = new Set<() => void>();
let tickTimeout: ReturnType<typeof setTimeout> | undefined;
let displayedSecond = 0;

function updateDisplayedSecond(): void {
  displayedSecond = getServerSecond();
  for (const listener of listeners) listener();
}

function getDisplayedSecond(): number {
  if (listeners.size === 0) displayedSecond = getServerSecond();
  return displayedSecond;
}

function scheduleTick(): void {
  tickTimeout = setTimeout(
    () => {
      scheduleTick();
      updateDisplayedSecond();
    },
    1000 - (getServerTimeMs() % 1000),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) scheduleTick();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(tickTimeout);
  };
}

const subscribeToNothing = () => () => undefined;
const getZero = () => 0;

/** Returns the current second by the server's clock as an ISO instant. Without `isTicking`, always returns 1970. */
export function useServerInstant(isTicking: boolean): string {
  const second = useSyncExternalStore(isTicking ? subscribe : subscribeToNothing, isTicking ? getDisplayedSecond : getZero);
  return new Date(second * 1000).toISOString();
}

/** Returns the total seconds that everyone has worked on a job, updated every second while a timer runs. */
export function useElapsedSeconds({ finished_seconds, running }: Pick<JobTimer, 'finished_seconds' | 'running'>): number {
  const now = useServerInstant(running.length > 0);
  const entries = running.map(({ started_at }) => ({ started_at, ended_at: null }));
  return finished_seconds + calculateElapsedSeconds(entries, now);
}
