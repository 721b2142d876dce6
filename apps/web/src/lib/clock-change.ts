import { formatTime } from '@callout/domain/time/date-format';
import { findClockChange, toInstant } from '@callout/domain/time/zoned-time';

/** Explains which time is used if daylight saving skips or repeats `time`. `prefix` starts the sentence, e.g. 'The job is booked for'. */
export function formatClockChangeNotice(date: string, time: string, zone: string, prefix: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d/.test(time)) return undefined;
  const wallTime = time.slice(0, 5);
  const change = findClockChange(date, wallTime, zone);
  if (!change) return undefined;
  const atTime = formatTime(toInstant(date, wallTime, zone), zone);
  return change === 'skipped'
    ? `Clocks go forward that night and skip this time. ${prefix} ${atTime}.`
    : `Clocks go back that night, so ${atTime} occurs twice. ${prefix} the first one.`;
}
