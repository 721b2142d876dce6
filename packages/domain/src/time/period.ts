import { addDays, endOfDay, localDate, startOfDay } from './zoned-time.ts';

export const PERIODS = ['day', 'week', 'month', 'lifetime'] as const;
export type Period = (typeof PERIODS)[number];

const DAYS_BACK: Record<Exclude<Period, 'lifetime'>, number> = { day: 0, week: 7, month: 30 };

export interface PeriodRange {
  /** Both instants belong to the period. */
  from: string;
  to: string;
}

/** From 00:00 of the day 0, 7 or 30 days back to the last millisecond of today, as the zone's clocks show them; lifetime has no range. */
export function periodRange(period: Period, now: string, zone: string): PeriodRange | null {
  if (period === 'lifetime') return null;
  const today = localDate(now, zone);
  return { from: startOfDay(addDays(today, -DAYS_BACK[period]), zone), to: endOfDay(today, zone) };
}
