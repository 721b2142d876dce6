import { localDate } from '@callout/domain/time/zoned-time';
import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** 'yyyy-MM-dd' in a time zone; a page that stays open overnight follows it. */
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
