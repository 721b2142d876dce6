import { localDate } from '@callout/domain/time/zoned-time';
import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The date in a zone; a page that stays open overnight follows it. */
export function useToday(zone: string): string {
  const [today, setToday] = useState(() => localDate(new Date().toISOString(), zone));
  useEffect(() => {
    const read = () => setToday(localDate(new Date().toISOString(), zone));
    read();
    const timer = setInterval(read, MINUTE_MS);
    return () => clearInterval(timer);
  }, [zone]);
  return today;
}
