import { MINUTE_MS } from '@callout/domain/time/time-units';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { useSyncExternalStore } from 'react';

/** Notifies at every full minute and when the page becomes visible again, because timers stop in a suspended tab. */
function subscribeToMinutes(notify: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const scheduleNext = () => {
    timer = setTimeout(
      () => {
        notify();
        scheduleNext();
      },
      MINUTE_MS - (Date.now() % MINUTE_MS),
    );
  };
  scheduleNext();
  document.addEventListener('visibilitychange', notify);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', notify);
  };
}

const getCurrentMinute = () => new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString();

/** Returns the start of the current minute as an ISO timestamp, and re-renders every minute. */
export const useCurrentMinute = (): string => useSyncExternalStore(subscribeToMinutes, getCurrentMinute);

/** Returns today's date in a time zone as 'yyyy-MM-dd', and re-renders at midnight. */
export const useToday = (zone: string): string => useSyncExternalStore(subscribeToMinutes, () => toLocalDate(getCurrentMinute(), zone));
