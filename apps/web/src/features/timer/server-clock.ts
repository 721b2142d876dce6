import type { JobTimer } from '@callout/contract/jobs';
import { elapsedSeconds } from '@callout/domain/timer/elapsed-time';
import { useSyncExternalStore } from 'react';

/** How far the server's clock is ahead of this page's, which counts on when a person sets their clock, and how exactly that is known. */
interface ClockOffset {
  readonly ms: number;
  readonly roundTripMs: number;
}

let offset: ClockOffset | null = null;

/** For `sentAt`. */
export const pageTime = () => performance.now();

/**
 * Takes the server's time from an answer to a request that was sent at `sentAt`. What is known stays while the answer agrees with it,
 * so that no slow answer makes a timer jump; after a sleep of the device it does not agree.
 */
export function syncServerClock(serverTime: string, sentAt: number): void {
  const receivedAt = pageTime();
  const [server, roundTripMs] = [Date.parse(serverTime), receivedAt - sentAt];
  const agrees = offset !== null && offset.ms >= server - receivedAt && offset.ms <= server - sentAt;
  if (offset === null || !agrees || roundTripMs < offset.roundTripMs) {
    offset = { ms: server - (sentAt + receivedAt) / 2, roundTripMs };
    showSecond();
  }
}

/** Milliseconds since 1970 by the server's clock; by this device's until the server has answered. */
export const serverNow = () => (offset === null ? Date.now() : pageTime() + offset.ms);

/** As time entries are stored: in whole seconds. */
export const serverInstant = () => new Date(serverSecond() * 1000).toISOString();

const serverSecond = () => Math.floor(serverNow() / 1000);

/** One clock for all that count: they change in the same moment, when the server's second does, and never one without the others. */
const listeners = new Set<() => void>();
let tick: ReturnType<typeof setTimeout> | undefined;
let shownSecond = 0;

function showSecond(): void {
  shownSecond = serverSecond();
  for (const listener of listeners) listener();
}

function readShownSecond(): number {
  if (listeners.size === 0) shownSecond = serverSecond();
  return shownSecond;
}

function scheduleTick(): void {
  tick = setTimeout(
    () => {
      scheduleTick();
      showSecond();
    },
    1000 - (serverNow() % 1000),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) scheduleTick();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(tick);
  };
}

const noSubscription = () => () => undefined;
const noSecond = () => 0;

/** The present second by the server's clock, as an instant; it stands still unless `ticking`. */
export function useServerSecond(ticking: boolean): string {
  const second = useSyncExternalStore(ticking ? subscribe : noSubscription, ticking ? readShownSecond : noSecond);
  return new Date(second * 1000).toISOString();
}

/** Seconds that everybody has worked on a job so far, counting up. */
export function useElapsed({ finished_seconds, running }: Pick<JobTimer, 'finished_seconds' | 'running'>): number {
  const now = useServerSecond(running.length > 0);
  const entries = running.map(({ started_at }) => ({ started_at, ended_at: null }));
  return finished_seconds + elapsedSeconds(entries, now);
}
