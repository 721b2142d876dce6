import { formatTime } from '@callout/domain/time/date-format';
import { clockChangeAt, zonedInstant } from '@callout/domain/time/zoned-time';

/** On the two nights of the year when clocks change, a typed time may not exist or exist twice: says which one it is then. `says`: 'The job is booked for'. */
export function clockChangeText(date: string, time: string, zone: string, says: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d/.test(time)) return undefined;
  const wall = time.slice(0, 5);
  const change = clockChangeAt(date, wall, zone);
  if (!change) return undefined;
  const meant = formatTime(zonedInstant(date, wall, zone), zone);
  return change === 'skipped'
    ? `Clocks go forward that night and skip this time. ${says} ${meant}.`
    : `Clocks go back that night and show ${meant} twice. ${says} the first one.`;
}
