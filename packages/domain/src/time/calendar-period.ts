import { addDays } from './zoned-time.ts';

/** Whole calendar months, quarters and years, as used in bookkeeping. */
export const CALENDAR_PERIODS = ['this-month', 'last-month', 'this-quarter', 'last-quarter', 'this-year', 'last-year'] as const;
export type CalendarPeriod = (typeof CALENDAR_PERIODS)[number];

export interface DateRange {
  /** Both dates ('yyyy-MM-dd') are inclusive. */
  readonly from: string;
  readonly to: string;
}

const MONTHS_PER_YEAR = 12;
const MONTHS_PER_QUARTER = 3;

/** Returns the whole month, quarter or year that contains `today`, or the one before it. Quarters follow the calendar year. */
export function getCalendarPeriodRange(period: CalendarPeriod, today: string): DateRange {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7)) - 1;
  const quarter = month - (month % MONTHS_PER_QUARTER);
  switch (period) {
    case 'this-month':
      return getMonthsRange(year, month, 1);
    case 'last-month':
      return getMonthsRange(year, month - 1, 1);
    case 'this-quarter':
      return getMonthsRange(year, quarter, MONTHS_PER_QUARTER);
    case 'last-quarter':
      return getMonthsRange(year, quarter - MONTHS_PER_QUARTER, MONTHS_PER_QUARTER);
    case 'this-year':
      return getMonthsRange(year, 0, MONTHS_PER_YEAR);
    case 'last-year':
      return getMonthsRange(year - 1, 0, MONTHS_PER_YEAR);
    default:
      return period satisfies never;
  }
}

const getMonthsRange = (year: number, month: number, count: number): DateRange => ({
  from: getFirstOfMonth(year, month),
  to: addDays(getFirstOfMonth(year, month + count), -1),
});

/** Returns the first day of a month. Months start at 0 and may overflow into the previous or next year. */
const getFirstOfMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
