import { addDays } from './zoned-time.ts';

/** Periods of the calendar, as accounts are kept; days are 'yyyy-MM-dd'. */
export const CALENDAR_PERIODS = ['this-month', 'last-month', 'this-quarter', 'this-year'] as const;
export type CalendarPeriod = (typeof CALENDAR_PERIODS)[number];

export interface DayRange {
  /** Both days belong to it. */
  readonly from: string;
  readonly to: string;
}

const MONTHS_OF_YEAR = 12;
const MONTHS_OF_QUARTER = 3;

/** The whole period that this day belongs to, or the month before it. Quarters are those of the calendar year. */
export function calendarPeriod(period: CalendarPeriod, today: string): DayRange {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7)) - 1;
  switch (period) {
    case 'this-month':
      return monthsFrom(year, month, 1);
    case 'last-month':
      return monthsFrom(year, month - 1, 1);
    case 'this-quarter':
      return monthsFrom(year, month - (month % MONTHS_OF_QUARTER), MONTHS_OF_QUARTER);
    case 'this-year':
      return monthsFrom(year, 0, MONTHS_OF_YEAR);
    default:
      return period satisfies never;
  }
}

const monthsFrom = (year: number, month: number, count: number): DayRange => ({
  from: firstOfMonth(year, month),
  to: addDays(firstOfMonth(year, month + count), -1),
});

/** Months count from 0, and may lie before or after the year. */
const firstOfMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
