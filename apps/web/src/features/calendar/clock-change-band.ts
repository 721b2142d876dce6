import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import { toEpochMs, toTimeInputValue } from '@callout/domain/time/wall-time';
import { addDays, findClockChange, getStartOfDay } from '@callout/domain/time/zoned-time';
import { DAY_MINUTES, SLOT_MINUTES } from './calendar-layout.ts';

export interface ClockChangeBand {
  readonly kind: 'skipped' | 'repeated';
  readonly top: number;
  readonly bottom: number;
}

/** Returns the part of the day that a clock change skips or repeats, in minutes, or null if clocks don't change. */
export function findClockChangeBand(date: string, zone: string): ClockChangeBand | null {
  const extraMs = toEpochMs(getStartOfDay(addDays(date, 1), zone)) - toEpochMs(getStartOfDay(date, zone)) - DAY_MS;
  if (extraMs === 0 || Math.abs(extraMs) > 3 * HOUR_MS) return null;
  const kind = extraMs < 0 ? 'skipped' : 'repeated';
  const times = Array.from({ length: DAY_MINUTES / SLOT_MINUTES }, (_, slot) => slot * SLOT_MINUTES);
  const changed = times.filter(
    (minutes) => findClockChange(date, toTimeInputValue({ hour: Math.floor(minutes / 60), minute: minutes % 60 }), zone) === kind,
  );
  const [top, last] = [changed[0], changed.at(-1)];
  return top === undefined || last === undefined ? null : { kind, top, bottom: last + SLOT_MINUTES };
}
