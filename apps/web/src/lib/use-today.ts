import { MINUTE_MS } from '@callout/domain/time/time-units';
import { localDate } from '@callout/domain/time/zoned-time';
import { useSyncExternalStore } from 'react';

/** Tells at every full minute, and when the page comes back to the front: a sleeping one misses some. */
function subscribeToMinutes(tell: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    timer = setTimeout(
      () => {
        tell();
        wait();
      },
      MINUTE_MS - (Date.now() % MINUTE_MS),
    );
  };
  wait();
  document.addEventListener('visibilitychange', tell);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', tell);
  };
}

const thisMinute = () => new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString();

/** The instant at which the present minute began. */
export const useMinute = (): string => useSyncExternalStore(subscribeToMinutes, thisMinute);

/** 'yyyy-MM-dd' in a time zone; a page that stays open overnight follows it. */
export const useToday = (zone: string): string => useSyncExternalStore(subscribeToMinutes, () => localDate(thisMinute(), zone));
