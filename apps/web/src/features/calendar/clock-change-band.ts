import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import { fieldTime, milliseconds } from '@callout/domain/time/wall-time';
import { addDays, clockChangeAt, startOfDay } from '@callout/domain/time/zoned-time';
import { DAY_MINUTES, SLOT_MINUTES } from './calendar-layout.ts';

export interface ClockChange {
  readonly kind: 'skipped' | 'repeated';
  readonly top: number;
  readonly bottom: number;
}

/** The minutes of a day that clocks skip or show twice, in one piece. */
export function clockChangeOn(date: string, zone: string): ClockChange | null {
  const longer = milliseconds(startOfDay(addDays(date, 1), zone)) - milliseconds(startOfDay(date, zone)) - DAY_MS;
  if (longer === 0 || Math.abs(longer) > 3 * HOUR_MS) return null;
  const kind = longer < 0 ? 'skipped' : 'repeated';
  const times = Array.from({ length: DAY_MINUTES / SLOT_MINUTES }, (_, slot) => slot * SLOT_MINUTES);
  const changed = times.filter(
    (minutes) => clockChangeAt(date, fieldTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 }), zone) === kind,
  );
  const [top, last] = [changed[0], changed.at(-1)];
  return top === undefined || last === undefined ? null : { kind, top, bottom: last + SLOT_MINUTES };
}
